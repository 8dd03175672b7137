package api

// Setting is one setting in force.
type Setting struct {
	Key     string   `json:"key"`
	Value   any      `json:"value"`
	Text    string   `json:"text"`              // the value as `mum config set` reads it
	Default string   `json:"default"`           // the same of a fresh installation
	Origin  string   `json:"origin"`            // default, environment, flags, or a file
	About   string   `json:"about"`             // what it means
	Choices []string `json:"choices,omitempty"` // nothing else is taken
	Next    string   `json:"next,omitempty"`    // what is in the file by now and holds after a restart
	Fixed   bool     `json:"fixed,omitempty"`   // the environment or a flag says so: the file does not count
	List    bool     `json:"list,omitempty"`    // several values, with commas between them
}

// Settings answers GET /settings.
type Settings struct {
	File     string    `json:"file"`
	Settings []Setting `json:"settings"`
	Restart  bool      `json:"restart"` // the file was changed since the daemon started
}

// SettingChange is the body of POST /settings.
type SettingChange struct {
	Key   string `json:"key"`
	Value string `json:"value,omitempty"`
	Unset bool   `json:"unset,omitempty"` // the default again
}

// SettingChanged answers it.
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

// Redacted is a text as it would be kept, and why. Nothing of it is stored.
type Redacted struct {
	Text    string   `json:"text"`
	Reasons []Reason `json:"reasons"`
	Nearest *Reason  `json:"nearest_kept,omitempty"` // to being taken out, of what is kept
}

// Reason is a place that would be taken out.
type Reason struct {
	From int    `json:"from"` // bytes
	To   int    `json:"to"`
	Rule string `json:"rule"`
	Word string `json:"word,omitempty"` // that set it off
	// Looks is what the value looks like, where that decided.
	Looks  string     `json:"looks,omitempty"`
	Again  bool       `json:"again,omitempty"`  // found in another place, too
	Sure   bool       `json:"sure,omitempty"`   // by its form: no verdict changes that
	Judged *Judgement `json:"judged,omitempty"` // where the learned judge decided
}

// Judgement is what the learned judge says about a stretch.
type Judgement struct {
	Score    float32        `json:"score"`
	Bar      float32        `json:"bar"` // from which on it is taken out
	RuledOut bool           `json:"ruled_out,omitempty"`
	Decided  []Contribution `json:"decided"` // the features that weighed most
}

// Contribution is what a feature added to a score.
type Contribution struct {
	Feature string  `json:"feature"`
	Says    string  `json:"says"`
	Weight  float32 `json:"weight"`
}
