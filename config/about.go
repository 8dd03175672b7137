package config

// About says what a setting means, in a sentence.
func About(key string) string { return about[key] }

var about = map[string]string{
	"daemon.port":               "TCP port on this machine; 0 takes any free one.",
	"daemon.socket":             "Where the unix socket is; empty = in the data directory.",
	"daemon.host":               "Address that the daemon listens on.",
	"daemon.allow_non_loopback": "Lets the address be one that other machines can reach.",
	"daemon.log_level":          "How much the log says.",

	"capture.enabled":          "Whether anything is captured at all.",
	"capture.skip_tools":       "Tools whose uses are not kept.",
	"capture.exclude_projects": "Directories, as globs, in which nothing is captured.",
	"capture.git":              "Whether the history of your repositories is read.",
	"capture.git_authors":      "Whether it is kept who made a commit.",

	"privacy.mode": "How much the gate takes out: safe is for everybody, strict takes out " +
		"more, none only what you mark as private.",
	"privacy.sensitivity": "How unsure the learned judge may be of what it takes out of sentences: high finds more and " +
		"takes more ordinary words.",
	"privacy.exclude_paths": "Files, as globs, whose content is never kept, besides the built-in list.",
	"privacy.patterns":      "Rules of your own.",
	"privacy.vault":         "Whether secrets that are on this machine are looked for wherever they show up.",
	"privacy.max_field":     "How much of one text is kept.",

	"compress.provider":      "Who words summaries: auto takes a local model when there is one, heuristic needs none.",
	"compress.url":           "Where the model answers.",
	"compress.model":         "Which model; empty = chosen automatically.",
	"compress.embed_model":   "Which model says what a text means, for search; empty = chosen automatically.",
	"compress.idle":          "How long you must be idle before a model is asked.",
	"compress.per_minute":    "Questions to the model in a minute at most.",
	"compress.daily_tokens":  "Tokens of a model in a day at most; 0 = no limit.",
	"compress.daily_seconds": "Seconds of a model in a day at most; 0 = no limit.",
	"compress.timeout":       "How long one question may take.",

	"egress.allow_hosts": "Hosts that text may be sent to besides this machine.",

	"context.enabled":       "Whether agents are told anything.",
	"context.start":         "Whether a session is told at its start, and after a compaction, what was done last.",
	"context.budget_tokens": "How much they are told at once, in tokens.",
	"context.max_entries":   "How many entries they are told at once.",
	"context.timeout":       "How long an agent waits for it at most.",
	"context.gotchas":       "Whether an agent is told, when a command fails, what fixed that before.",

	"remember.by_agent": "Whether agents are told that they may keep something on their own.",

	"runs.keep_days": "Days for which it is kept what each run did; 0 = for ever.",
	"runs.otlp":      "Where numbers of each run are sent as OTLP/HTTP JSON, never text; empty = nowhere.",
	"runs.most":      "Of how many runs that is kept at most; 0 = of all.",

	"roles.extract.provider": "Who is asked what sessions teach; empty = as compress says. An agent's command " +
		"line sends text to its vendor.",
	"roles.summarise.provider":       "Who is asked for summaries; empty = as compress says.",
	"roles.ask.provider":             "Who is asked your questions; empty = as compress says.",
	"roles.consolidate.provider":     "Who is asked to put memories together; empty = as compress says.",
	"roles.extract.model":            "Its model; empty = as compress says.",
	"roles.extract.url":              "Where its server is; empty = as compress says.",
	"roles.extract.fallback":         "Who is asked if that one is not available; empty = no other.",
	"roles.extract.daily_calls":      "How often it is asked in a day at most; -1 = no limit of its own.",
	"roles.extract.daily_tokens":     "How many tokens it is given in a day at most; -1 = no limit of its own.",
	"roles.extract.timeout":          "How long one question to it may take; 0 = as compress says.",
	"roles.extract.price_in":         "What a million tokens cost that it is given; 0 = nothing.",
	"roles.extract.price_out":        "What a million tokens cost that it answers; 0 = nothing.",
	"roles.summarise.model":          "Its model; empty = as compress says.",
	"roles.summarise.url":            "Where its server is; empty = as compress says.",
	"roles.summarise.fallback":       "Who is asked if that one is not available; empty = no other.",
	"roles.summarise.daily_calls":    "How often it is asked in a day at most; -1 = no limit of its own.",
	"roles.summarise.daily_tokens":   "How many tokens it is given in a day at most; -1 = no limit of its own.",
	"roles.summarise.timeout":        "How long one question to it may take; 0 = as compress says.",
	"roles.summarise.price_in":       "What a million tokens cost that it is given; 0 = nothing.",
	"roles.summarise.price_out":      "What a million tokens cost that it answers; 0 = nothing.",
	"roles.ask.model":                "Its model; empty = as compress says.",
	"roles.ask.url":                  "Where its server is; empty = as compress says.",
	"roles.ask.fallback":             "Who is asked if that one is not available; empty = no other.",
	"roles.ask.daily_calls":          "How often it is asked in a day at most; -1 = no limit of its own.",
	"roles.ask.daily_tokens":         "How many tokens it is given in a day at most; -1 = no limit of its own.",
	"roles.ask.timeout":              "How long one question to it may take; 0 = as compress says.",
	"roles.ask.price_in":             "What a million tokens cost that it is given; 0 = nothing.",
	"roles.ask.price_out":            "What a million tokens cost that it answers; 0 = nothing.",
	"roles.consolidate.model":        "Its model; empty = as compress says.",
	"roles.consolidate.url":          "Where its server is; empty = as compress says.",
	"roles.consolidate.fallback":     "Who is asked if that one is not available; empty = no other.",
	"roles.consolidate.daily_calls":  "How often it is asked in a day at most; -1 = no limit of its own.",
	"roles.consolidate.daily_tokens": "How many tokens it is given in a day at most; -1 = no limit of its own.",
	"roles.consolidate.timeout":      "How long one question to it may take; 0 = as compress says.",
	"roles.consolidate.price_in":     "What a million tokens cost that it is given; 0 = nothing.",
	"roles.consolidate.price_out":    "What a million tokens cost that it answers; 0 = nothing.",

	"store.raw_days": "Days for which inputs and outputs of tools stay; 0 = for ever. " +
		"Their titles and summaries stay anyway.",
	"store.max_size": "Size of the database from which you are warned; 0 = never. Nothing is deleted by it.",
	"store.backups":  "How many backups are kept.",

	"memory.scope": "Which memories a project sees: its own and those of no project, " +
		"its own alone, or the latter alone.",
	"memory.max_active": "How many memories of a project are in force at most; the least " +
		"trusted are archived, never a pinned one.",
	"memory.by_branch":               "Whether what is learned on a branch is told there alone until it is merged.",
	"memory.share_pitfalls":          "Whether what fixed a failure in three projects is proposed for all of them.",
	"memory.decay.enabled":           "Whether unused memories fade.",
	"memory.decay.decay_period_days": "Days in which an unused memory fades.",
	"memory.decay.confidence_floor":  "What is left of its confidence at least.",
	"memory.decay.archive_threshold": "Below this it is archived.",
	"memory.decay.grace_period_days": "Days after its last use in which it does not fade.",

	"sync.enabled":           "Whether sessions become memories automatically.",
	"sync.interval":          "How often.",
	"sync.window":            "How far back it looks.",
	"sync.max_sessions":      "Sessions in one run at most.",
	"sync.settle":            "How long a session without an end must be quiet.",
	"sync.agents":            "Agents whose sessions are read; none = all that are found.",
	"sync.max_window_tokens": "Tokens of a session that a model is shown at once.",
	"sync.overlap_tokens":    "Tokens that two such parts share.",
	"maintain.interval":      "How often memories are tidied.",
}

// Choices are the only values that a setting takes; nil = it takes others.
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
