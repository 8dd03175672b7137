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
	Mode         string    `koanf:"mode"` // safe | flexible | strict | none
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
	BudgetTokens int      `koanf:"budget_tokens"`
	MaxEntries   int      `koanf:"max_entries"`
	Timeout      Duration `koanf:"timeout"`
}

// Remember is who else may word memories.
type Remember struct {
	ByAgent bool `koanf:"by_agent"` // agents are told at their start that they may
}

// Roles are who does what; empty = as compress says.
type Roles struct {
	Extract Role `koanf:"extract"`
}

// Role is an agent's command line that is asked, off by default: it sends text to its vendor.
type Role struct {
	Provider    string   `koanf:"provider"`     // "" | agent:claude | agent:codex | agent:opencode
	DailyCalls  int      `koanf:"daily_calls"`  // 0 = none
	DailyTokens int      `koanf:"daily_tokens"` // 0 = none
	Timeout     Duration `koanf:"timeout"`
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
		Daemon:  Daemon{Port: 38741, Host: "127.0.0.1", LogLevel: "info"},
		Capture: Capture{Enabled: true, Git: true, SkipTools: []string{"TodoWrite", "TodoRead", "TaskOutput", "todowrite", "todoread"}},
		Privacy: Privacy{Mode: "safe", Vault: true, MaxField: 512 << 10},
		Compress: Compress{
			Provider: "auto", URL: "http://127.0.0.1:11434",
			Idle: Duration(5 * time.Second), PerMinute: 10, Timeout: Duration(30 * time.Second),
		},
		Context:  Context{Enabled: true, BudgetTokens: 400, MaxEntries: 5, Timeout: Duration(300 * time.Millisecond)},
		Remember: Remember{ByAgent: true},
		Roles:    Roles{Extract: Role{DailyCalls: 20, DailyTokens: 200_000, Timeout: Duration(2 * time.Minute)}},
		Store:    Store{RawDays: 90, Backups: 7},
		Sync: Sync{Enabled: true, Interval: Duration(10 * time.Minute), Window: "7d", MaxSessions: 50, Settle: Duration(2 * time.Minute),
			Agents: []string{}, MaxWindowTokens: 300_000, OverlapTokens: 1000},
		Maintain: Maintain{Interval: Duration(time.Hour)},
		Memory: Memory{
			Scope: "project_fallback_global",
			Decay: Decay{Enabled: true, PeriodDays: 180, ConfidenceFloor: 0.1, ArchiveThreshold: 0.2, GraceDays: 30},
		},
	}
}
