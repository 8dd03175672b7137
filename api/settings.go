package api

// Setting is the effective value of a setting.
type Setting struct {
	Key     string   `json:"key"`
	Value   any      `json:"value"`
	Text    string   `json:"text"`              // value as `mum config set` reads it
	Default string   `json:"default"`           // default value in the same form
	Origin  string   `json:"origin"`            // default, environment, flags, or a file
	About   string   `json:"about"`             // explanation
	Choices []string `json:"choices,omitempty"` // the only accepted values
	Next    string   `json:"next,omitempty"`    // new value in the file, which takes effect after a restart
	Fixed   bool     `json:"fixed,omitempty"`   // set by the environment or a flag, so the file is ignored
	List    bool     `json:"list,omitempty"`    // several values, separated by commas
}

// Settings answers GET /settings.
type Settings struct {
	File     string    `json:"file"`
	Settings []Setting `json:"settings"`
	Restart  bool      `json:"restart"` // the file was changed since the daemon started, and says something else
}

// SettingChange is the body of POST /settings.
type SettingChange struct {
	Key   string `json:"key"`
	Value string `json:"value,omitempty"`
	Unset bool   `json:"unset,omitempty"` // back to the default
}

// SettingChanged answers POST /settings.
type SettingChanged struct {
	Key    string `json:"key"`
	Value  string `json:"value"`
	Before string `json:"before"`
	File   string `json:"file"`
	Effect string `json:"effect"` // when it takes effect
}

// Redact is the body of POST /redact.
type Redact struct {
	Text string `json:"text"`
}

// Redacted is a text as it would be stored, and why. The text itself is not stored.
type Redacted struct {
	Text    string   `json:"text"`
	Reasons []Reason `json:"reasons"`
	Nearest *Reason  `json:"nearest_kept,omitempty"` // the kept candidate that came closest to being redacted
}

// Reason explains the redaction of one place.
type Reason struct {
	From int    `json:"from"` // in bytes
	To   int    `json:"to"`
	Rule string `json:"rule"`
	Word string `json:"word,omitempty"` // the word that triggered it
	// Looks describes the form of the value, if the form decided.
	Looks  string     `json:"looks,omitempty"`
	Again  bool       `json:"again,omitempty"`  // the same value as in another place
	Sure   bool       `json:"sure,omitempty"`   // a secret by its form: no verdict changes that
	Judged *Judgement `json:"judged,omitempty"` // set if the learned judge decided
}

// Judgement is the learned judge's score for a candidate.
type Judgement struct {
	Score     float32        `json:"score"`
	Threshold float32        `json:"threshold"` // score from which the candidate is redacted
	RuledOut  bool           `json:"ruled_out,omitempty"`
	Decided   []Contribution `json:"decided"` // the features with the most weight
}

// Contribution is what a feature added to a score.
type Contribution struct {
	Feature string  `json:"feature"`
	Says    string  `json:"says"`
	Weight  float32 `json:"weight"`
}
