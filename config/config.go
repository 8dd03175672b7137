package config

import "time"

// Config is every setting. The zero value is not usable: start from [Default].
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

// Daemon is how the daemon listens and logs.
type Daemon struct {
	Port             int    `koanf:"port"`   // TCP port on 127.0.0.1; 0 = any free one
	Socket           string `koanf:"socket"` // unix socket; "" = $MUM_HOME/mum.sock
	Host             string `koanf:"host"`   // address of the TCP listener
	AllowNonLoopback bool   `koanf:"allow_non_loopback"`
	LogLevel         string `koanf:"log_level"`
}

// Capture is what is taken in at all.
type Capture struct {
	Enabled         bool     `koanf:"enabled"`
	SkipTools       []string `koanf:"skip_tools"`
	ExcludeProjects []string `koanf:"exclude_projects"` // globs on the directory
	Git             Switch   `koanf:"git"`              // the history of repositories, and what is changed in them
	GitAuthors      Switch   `koanf:"git_authors"`      // also who made a commit
}

// Privacy is what the gate takes out.
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

// Compress is how captured turns become summaries.
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

// Egress is where text may go besides this machine.
type Egress struct {
	AllowHosts []string `koanf:"allow_hosts"`
}

// Context is what is given back to an agent.
type Context struct {
	Enabled      bool     `koanf:"enabled"`
	Start        bool     `koanf:"start"` // a session is told at its start what was done last
	BudgetTokens int      `koanf:"budget_tokens"`
	MaxEntries   int      `koanf:"max_entries"`
	Timeout      Duration `koanf:"timeout"`
	Gotchas      Switch   `koanf:"gotchas"` // what fixed a failure before, in the answer to a command that failed
}

// Remember is who else may word memories.
type Remember struct {
	ByAgent bool `koanf:"by_agent"` // agents are told at their start that they may
}

// Runs is for how long it is kept what each run did.
type Runs struct {
	KeepDays int `koanf:"keep_days"` // 0 = for ever
	Most     int `koanf:"most"`      // 0 = any number
	// OTLP is where numbers of each run are sent (OTLP/HTTP, JSON): http://127.0.0.1:4318/v1/traces; "" = nowhere.
	OTLP string `koanf:"otlp"`
}

// Roles are who does what; empty = as compress says.
type Roles struct {
	Extract     Role `koanf:"extract"`     // what sessions teach
	Summarise   Role `koanf:"summarise"`   // turns and sessions
	Ask         Role `koanf:"ask"`         // questions of the user
	Consolidate Role `koanf:"consolidate"` // memories that belong together
}

// Role is who is asked for one thing, how much, and who else.
type Role struct {
	// Provider is "" (as compress says), off, auto, ollama or openai; for extract also agent:claude,
	// agent:codex or agent:opencode: a command line that sends text to its vendor.
	Provider    string   `koanf:"provider"`
	Model       string   `koanf:"model"`        // "" = as compress says
	URL         string   `koanf:"url"`          // "" = as compress says
	Fallback    string   `koanf:"fallback"`     // who is asked when that one is not there: "" = nobody, compress
	DailyCalls  int      `koanf:"daily_calls"`  // 0 = none, -1 = no limit of its own
	DailyTokens int      `koanf:"daily_tokens"` // 0 = none, -1 = no limit of its own
	Timeout     Duration `koanf:"timeout"`      // 0 = as compress says
	PriceIn     float64  `koanf:"price_in"`     // of a million tokens, in any currency
	PriceOut    float64  `koanf:"price_out"`
}

// All are the roles by their names.
func (r Roles) All() map[string]Role {
	return map[string]Role{"extract": r.Extract, "summarise": r.Summarise, "ask": r.Ask, "consolidate": r.Consolidate}
}

// Store is how long things are kept.
type Store struct {
	RawDays int  `koanf:"raw_days"` // 0 = for ever
	MaxSize Size `koanf:"max_size"` // 0 = no limit; a warning, never a delete
	Backups int  `koanf:"backups"`
}

// Memory is where memories are kept, and for how long they count.
type Memory struct {
	Scope string `koanf:"scope"` // project_fallback_global | project_only | global_only
	Decay Decay  `koanf:"decay"`
	// MaxActive is how many memories a project has in use at most: of more, maintain
	// archives the least trusted.
	MaxActive int `koanf:"max_active"`
	// ByBranch keeps what is learned on a branch to it until it is merged.
	ByBranch Switch `koanf:"by_branch"`
	// SharePitfalls proposes what fixed a failure in three projects for all of them.
	SharePitfalls Switch `koanf:"share_pitfalls"`
}

// Decay is how a memory that nobody needs loses confidence.
type Decay struct {
	Enabled          bool    `koanf:"enabled"`
	PeriodDays       int     `koanf:"decay_period_days"`
	ConfidenceFloor  float64 `koanf:"confidence_floor"`
	ArchiveThreshold float64 `koanf:"archive_threshold"`
	GraceDays        int     `koanf:"grace_period_days"`
}

// Sync is how sessions become memories.
type Sync struct {
	Enabled         bool     `koanf:"enabled"` // false stops the schedule only
	Interval        Duration `koanf:"interval"`
	Window          string   `koanf:"window"` // 7d, all, or a number with s, m, h or d
	MaxSessions     int      `koanf:"max_sessions"`
	Settle          Duration `koanf:"settle"` // a session without an end that is younger is still being written
	Agents          []string `koanf:"agents"` // none = all that are found
	MaxWindowTokens int      `koanf:"max_window_tokens"`
	OverlapTokens   int      `koanf:"overlap_tokens"`
}

// Maintain is when memories are tidied.
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
