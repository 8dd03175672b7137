package config

// About explains a setting in one sentence.
func About(key string) string { return about[key] }

var about = map[string]string{
	"daemon.port":               "TCP port on this machine; 0 takes any free one.",
	"daemon.socket":             "Where the unix socket is; empty = in the data directory.",
	"daemon.host":               "Address that the daemon listens on.",
	"daemon.allow_non_loopback": "Allows an address that other machines can reach.",
	"daemon.log_level":          "How much is logged.",

	"capture.enabled":          "Whether anything is captured at all.",
	"capture.skip_tools":       "Tools whose calls are not kept.",
	"capture.exclude_projects": "Directories in which nothing is captured, as globs.",
	"capture.git":              "Whether the history of your repositories is read.",
	"capture.git_authors":      "Whether the authors of commits are kept.",

	"privacy.mode": "How much the gate redacts: safe suits most people, strict redacts more, " +
		"none only what you mark as private.",
	"privacy.sensitivity": "How much the learned judge redacts in sentences and after names: high finds more " +
		"secrets and also redacts more ordinary words.",
	"privacy.exclude_paths": "Files whose content is never kept, as globs, in addition to the built-in list.",
	"privacy.patterns":      "Your own rules.",
	"privacy.vault":         "Whether secrets that are stored on this machine are recognised wherever they appear.",
	"privacy.max_field":     "Maximum size that is kept of one text.",

	"compress.provider":      "What writes summaries: auto uses a local model if there is one, heuristic needs none.",
	"compress.url":           "Address of the model server.",
	"compress.model":         "Name of the model; empty = chosen automatically.",
	"compress.embed_model":   "Model that computes embeddings for search; empty = chosen automatically.",
	"compress.idle":          "How long you must be idle before a model is asked.",
	"compress.per_minute":    "Maximum number of requests to the model per minute.",
	"compress.daily_tokens":  "Maximum number of model tokens per day; 0 = no limit.",
	"compress.daily_seconds": "Maximum model time per day in seconds; 0 = no limit.",
	"compress.timeout":       "Maximum time for one request.",

	"egress.allow_hosts": "Hosts outside this machine that text may be sent to.",

	"context.enabled":       "Whether agents get any context.",
	"context.start":         "Whether a session is told what was done last, at its start and after a compaction.",
	"context.budget_tokens": "Maximum size of the context given at once, in tokens.",
	"context.max_entries":   "Maximum number of entries given at once.",
	"context.timeout":       "Maximum time that an agent waits for it.",
	"context.gotchas":       "Whether an agent whose command fails is told what fixed that before.",

	"remember.by_agent": "Whether agents are told that they may save memories themselves.",

	"runs.keep_days": "Days for which records of runs are kept; 0 = forever.",
	"runs.otlp":      "URL to which figures of each run are sent as OTLP/HTTP JSON, never text; empty = none.",
	"runs.most":      "Maximum number of runs whose records are kept; 0 = no limit.",

	"roles.extract.provider": "What learns from sessions; empty = as in compress. An agent's command line sends " +
		"text to its vendor.",
	"roles.summarise.provider":       "What writes summaries; empty = as in compress.",
	"roles.ask.provider":             "What answers your questions; empty = as in compress.",
	"roles.consolidate.provider":     "What merges memories; empty = as in compress.",
	"roles.extract.model":            "Name of its model; empty = as in compress.",
	"roles.extract.url":              "Address of its server; empty = as in compress.",
	"roles.extract.fallback":         "What is used if that provider is not available; empty = nothing.",
	"roles.extract.daily_calls":      "Maximum number of requests to it per day; -1 = no limit of its own.",
	"roles.extract.daily_tokens":     "Maximum number of tokens sent to it per day; -1 = no limit of its own.",
	"roles.extract.timeout":          "Maximum time for one request to it; 0 = as in compress.",
	"roles.extract.price_in":         "Price of a million input tokens; 0 = free.",
	"roles.extract.price_out":        "Price of a million output tokens; 0 = free.",
	"roles.summarise.model":          "Name of its model; empty = as in compress.",
	"roles.summarise.url":            "Address of its server; empty = as in compress.",
	"roles.summarise.fallback":       "What is used if that provider is not available; empty = nothing.",
	"roles.summarise.daily_calls":    "Maximum number of requests to it per day; -1 = no limit of its own.",
	"roles.summarise.daily_tokens":   "Maximum number of tokens sent to it per day; -1 = no limit of its own.",
	"roles.summarise.timeout":        "Maximum time for one request to it; 0 = as in compress.",
	"roles.summarise.price_in":       "Price of a million input tokens; 0 = free.",
	"roles.summarise.price_out":      "Price of a million output tokens; 0 = free.",
	"roles.ask.model":                "Name of its model; empty = as in compress.",
	"roles.ask.url":                  "Address of its server; empty = as in compress.",
	"roles.ask.fallback":             "What is used if that provider is not available; empty = nothing.",
	"roles.ask.daily_calls":          "Maximum number of requests to it per day; -1 = no limit of its own.",
	"roles.ask.daily_tokens":         "Maximum number of tokens sent to it per day; -1 = no limit of its own.",
	"roles.ask.timeout":              "Maximum time for one request to it; 0 = as in compress.",
	"roles.ask.price_in":             "Price of a million input tokens; 0 = free.",
	"roles.ask.price_out":            "Price of a million output tokens; 0 = free.",
	"roles.consolidate.model":        "Name of its model; empty = as in compress.",
	"roles.consolidate.url":          "Address of its server; empty = as in compress.",
	"roles.consolidate.fallback":     "What is used if that provider is not available; empty = nothing.",
	"roles.consolidate.daily_calls":  "Maximum number of requests to it per day; -1 = no limit of its own.",
	"roles.consolidate.daily_tokens": "Maximum number of tokens sent to it per day; -1 = no limit of its own.",
	"roles.consolidate.timeout":      "Maximum time for one request to it; 0 = as in compress.",
	"roles.consolidate.price_in":     "Price of a million input tokens; 0 = free.",
	"roles.consolidate.price_out":    "Price of a million output tokens; 0 = free.",

	"store.raw_days": "Days for which inputs and outputs of tools are kept; 0 = forever. " +
		"Their titles and summaries are always kept.",
	"store.max_size": "Size of the database above which you are warned; 0 = never. Nothing is deleted.",
	"store.backups":  "How many backups are kept.",

	"memory.scope": "Which memories a project sees: its own and the global ones, only its own, " +
		"or only the global ones.",
	"memory.max_active": "Maximum number of active memories of a project; the least trusted above " +
		"that are archived, but never a pinned one.",
	"memory.by_branch":               "Whether what is learned on a branch is used only there until it is merged.",
	"memory.share_pitfalls":          "Whether a fix that worked in three projects is proposed for all projects.",
	"memory.decay.enabled":           "Whether unused memories lose confidence.",
	"memory.decay.decay_period_days": "Days in which an unused memory goes from full confidence to none.",
	"memory.decay.confidence_floor":  "Minimum confidence that is left.",
	"memory.decay.archive_threshold": "Confidence below which a memory is archived.",
	"memory.decay.grace_period_days": "Days after its last use in which a memory keeps its confidence.",

	"sync.enabled":           "Whether sessions become memories automatically.",
	"sync.interval":          "Time between two runs.",
	"sync.window":            "How far back a run reads sessions.",
	"sync.max_sessions":      "Maximum number of sessions per run.",
	"sync.settle":            "How long a session without an end must be quiet before it is read.",
	"sync.agents":            "Agents whose sessions are read; none = all.",
	"sync.max_window_tokens": "Tokens of a session that a model gets at once.",
	"sync.overlap_tokens":    "Tokens by which two such parts overlap.",
	"maintain.interval":      "Time between two maintenance runs.",
}

// Choices returns the only values that a setting accepts; nil = others too.
func Choices(key string) []string { return choices[key] }

var choices = map[string][]string{
	"privacy.mode":        {"safe", "flexible", "strict", "none"},
	"privacy.sensitivity": sensitivities,
	"compress.provider":   {"auto", "ollama", "heuristic", "openai", "off"},
	"daemon.log_level":    {"debug", "info", "warn", "error"},
	"memory.scope":        {"project_fallback_global", "project_only", "global_only"},
	"roles.extract.provider": {"", "off", "auto", "ollama", "openai", "agent:claude", "agent:codex",
		"agent:opencode"},
	"roles.summarise.provider":   {"", "off", "auto", "ollama", "openai"},
	"roles.ask.provider":         {"", "off", "auto", "ollama", "openai"},
	"roles.consolidate.provider": {"", "off", "auto", "ollama", "openai"},
	"roles.extract.fallback":     {"", "compress"},
	"roles.summarise.fallback":   {"", "compress"},
	"roles.ask.fallback":         {"", "compress"},
	"roles.consolidate.fallback": {"", "compress"},
}
