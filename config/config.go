package config

import "time"

// Config has all settings. The zero value is not usable: start from [Default].
type Config struct {
	Daemon   Daemon   `koanf:"daemon"`
	Capture  Capture  `koanf:"capture"`
	Privacy  Privacy  `koanf:"privacy"`
	Compress Compress `koanf:"compress"`
	Egress   Egress   `koanf:"egress"`
	Context  Context  `koanf:"context"`
	Remember Remember `koanf:"remember"`
	Roles    Roles    `koanf:"roles"`
	Runs     Runs     `koanf:"runs"`
	Store    Store    `koanf:"store"`
	Memory   Memory   `koanf:"memory"`
	Sync     Sync     `koanf:"sync"`
	Maintain Maintain `koanf:"maintain"`
}

// Daemon says how the daemon listens and logs.
type Daemon struct {
	Port             int    `koanf:"port"`   // TCP port on 127.0.0.1; 0 = any free one
	Socket           string `koanf:"socket"` // unix socket; "" = $MUM_HOME/mum.sock
	Host             string `koanf:"host"`   // address of the TCP listener
	AllowNonLoopback bool   `koanf:"allow_non_loopback"`
	LogLevel         string `koanf:"log_level"`
}

// Capture says what is captured.
type Capture struct {
	Enabled         bool     `koanf:"enabled"`
	SkipTools       []string `koanf:"skip_tools"`
	ExcludeProjects []string `koanf:"exclude_projects"` // globs that match the directory
	Git             Switch   `koanf:"git"`              // the history and current changes of repositories
	GitAuthors      Switch   `koanf:"git_authors"`      // also the authors of commits
}

// Privacy says what the gate redacts.
type Privacy struct {
	Mode         string    `koanf:"mode"`        // safe | flexible | strict | none
	Sensitivity  string    `koanf:"sensitivity"` // of the learned judge: low | normal | high
	ExcludePaths []string  `koanf:"exclude_paths"`
	Patterns     []Pattern `koanf:"patterns"`
	Vault        bool      `koanf:"vault"`
	MaxField     Size      `koanf:"max_field"`
}

// Pattern is a user's own redaction rule.
type Pattern struct {
	Name     string   `koanf:"name" json:"name"`
	Regex    string   `koanf:"regex" json:"regex"`
	Keywords []string `koanf:"keywords" json:"keywords,omitempty"`
}

// Compress says how captured turns become summaries.
type Compress struct {
	Provider     string   `koanf:"provider"` // auto | ollama | heuristic | openai | off
	URL          string   `koanf:"url"`
	Model        string   `koanf:"model"`
	EmbedModel   string   `koanf:"embed_model"`
	Idle         Duration `koanf:"idle"`
	PerMinute    int      `koanf:"per_minute"`
	DailyTokens  int      `koanf:"daily_tokens"`  // 0 = no limit
	DailySeconds int      `koanf:"daily_seconds"` // 0 = no limit
	Timeout      Duration `koanf:"timeout"`
}

// Egress says where text may be sent outside this machine.
type Egress struct {
	AllowHosts []string `koanf:"allow_hosts"`
}

// Context says what is given back to an agent.
type Context struct {
	Enabled      bool     `koanf:"enabled"`
	Start        bool     `koanf:"start"` // a new session is told what was done last
	BudgetTokens int      `koanf:"budget_tokens"`
	MaxEntries   int      `koanf:"max_entries"`
	Timeout      Duration `koanf:"timeout"`
	Gotchas      Switch   `koanf:"gotchas"` // a failed command is answered with what fixed it before
}

// Remember says who besides the user may write memories.
type Remember struct {
	ByAgent bool `koanf:"by_agent"` // agents are told at the start that they may
}

// Runs says how long the records of runs are kept.
type Runs struct {
	KeepDays int `koanf:"keep_days"` // 0 = forever
	Most     int `koanf:"most"`      // 0 = any number
	// OTLP is the URL to which figures of each run are sent (OTLP/HTTP, JSON), such as http://127.0.0.1:4318/v1/traces;
	// "" = none.
	OTLP string `koanf:"otlp"`
}

// Roles say which provider does what; empty = as in compress.
type Roles struct {
	Extract     Role `koanf:"extract"`     // learns from sessions
	Summarise   Role `koanf:"summarise"`   // summarises turns and sessions
	Ask         Role `koanf:"ask"`         // answers questions of the user
	Consolidate Role `koanf:"consolidate"` // merges memories that belong together
}

// Role is the provider for one task, its limits, and its fallback.
type Role struct {
	// Provider is "" (as in compress), off, auto, ollama or openai; for extract also agent:claude, agent:codex or
	// agent:opencode: a command line that sends text to its vendor.
	Provider    string   `koanf:"provider"`
	Model       string   `koanf:"model"`        // "" = as in compress
	URL         string   `koanf:"url"`          // "" = as in compress
	Fallback    string   `koanf:"fallback"`     // used if the provider is unavailable: "" = none, compress
	DailyCalls  int      `koanf:"daily_calls"`  // 0 = none, -1 = no limit of its own
	DailyTokens int      `koanf:"daily_tokens"` // 0 = none, -1 = no limit of its own
	Timeout     Duration `koanf:"timeout"`      // 0 = as in compress
	PriceIn     float64  `koanf:"price_in"`     // for a million tokens, in any currency
	PriceOut    float64  `koanf:"price_out"`
}

// All returns the roles by name.
func (r Roles) All() map[string]Role {
	return map[string]Role{"extract": r.Extract, "summarise": r.Summarise, "ask": r.Ask, "consolidate": r.Consolidate}
}

// Store says how long data is kept.
type Store struct {
	RawDays int  `koanf:"raw_days"` // 0 = forever
	MaxSize Size `koanf:"max_size"` // 0 = no limit; exceeding it warns, never deletes
	Backups int  `koanf:"backups"`
}

// Memory says where memories are kept and how they age.
type Memory struct {
	Scope string `koanf:"scope"` // project_fallback_global | project_only | global_only
	Decay Decay  `koanf:"decay"`
	// MaxActive is the maximum number of active memories of a project. Maintain archives the least trusted above that.
	MaxActive int `koanf:"max_active"`
	// ByBranch keeps what is learned on a branch to that branch until it is merged.
	ByBranch Switch `koanf:"by_branch"`
	// SharePitfalls proposes a fix that worked in three projects for all of them.
	SharePitfalls Switch `koanf:"share_pitfalls"`
}

// Decay says how an unused memory loses confidence.
type Decay struct {
	Enabled          bool    `koanf:"enabled"`
	PeriodDays       int     `koanf:"decay_period_days"`
	ConfidenceFloor  float64 `koanf:"confidence_floor"`
	ArchiveThreshold float64 `koanf:"archive_threshold"`
	GraceDays        int     `koanf:"grace_period_days"`
}

// Sync says how sessions become memories.
type Sync struct {
	Enabled         bool     `koanf:"enabled"` // false stops only the schedule
	Interval        Duration `koanf:"interval"`
	Window          string   `koanf:"window"` // 7d, all, or a number with s, m, h or d
	MaxSessions     int      `koanf:"max_sessions"`
	Settle          Duration `koanf:"settle"` // a session without an end counts as unfinished while it is younger
	Agents          []string `koanf:"agents"` // empty = all agents
	MaxWindowTokens int      `koanf:"max_window_tokens"`
	OverlapTokens   int      `koanf:"overlap_tokens"`
}

// Maintain says when memories are maintained.
type Maintain struct {
	Interval Duration `koanf:"interval"`
}

// Default returns the settings of a fresh installation.
func Default() Config {
	return Config{
		Daemon: Daemon{Port: 38741, Host: "127.0.0.1", LogLevel: "info"},
		Capture: Capture{Enabled: true, Git: true,
			SkipTools: []string{"TodoWrite", "TodoRead", "TaskOutput", "todowrite", "todoread"}},
		Privacy: Privacy{Mode: "safe", Sensitivity: "normal", Vault: true, MaxField: 512 << 10},
		Compress: Compress{
			Provider: "auto", URL: "http://127.0.0.1:11434",
			Idle: Duration(5 * time.Second), PerMinute: 10, Timeout: Duration(30 * time.Second),
		},
		Context: Context{Enabled: true, Start: true, BudgetTokens: 400, MaxEntries: 5,
			Timeout: Duration(300 * time.Millisecond), Gotchas: true},
		Remember: Remember{ByAgent: true},
		Roles: Roles{Extract: Role{DailyCalls: 20, DailyTokens: 200_000, Timeout: Duration(2 * time.Minute)},
			Summarise: Role{DailyCalls: -1, DailyTokens: -1}, Ask: Role{DailyCalls: -1, DailyTokens: -1},
			Consolidate: Role{DailyCalls: -1, DailyTokens: -1}},
		Store: Store{RawDays: 90, Backups: 7},
		Sync: Sync{Enabled: true, Interval: Duration(10 * time.Minute), Window: "7d", MaxSessions: 50,
			Settle: Duration(2 * time.Minute), Agents: []string{}, MaxWindowTokens: 300_000, OverlapTokens: 1000},
		Maintain: Maintain{Interval: Duration(time.Hour)},
		Runs:     Runs{KeepDays: 30, Most: 1000},
		Memory: Memory{
			Scope: "project_fallback_global", ByBranch: true,
			MaxActive: 500, Decay: Decay{Enabled: true, PeriodDays: 180, ConfidenceFloor: 0.1, ArchiveThreshold: 0.2,
				GraceDays: 30},
		},
	}
}
