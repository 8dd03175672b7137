package api

import "time"

// Say is the body of POST /verdicts: what the user says of a value.
type Say struct {
	Value  string `json:"value"`
	Secret bool   `json:"secret"`
}

// Verdict is what the user said of a value, which is not in it.
type Verdict struct {
	ID     string    `json:"id"`
	Secret bool      `json:"secret"`
	Shape  string    `json:"shape"` // the sorts of its characters: Aa-0
	At     time.Time `json:"at"`
}

// Verdicts answers GET /verdicts.
type Verdicts struct {
	Verdicts []Verdict `json:"verdicts"`
}
