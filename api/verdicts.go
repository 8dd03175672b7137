package api

import "time"

// Say is the body of POST /verdicts: what the user says about a value. For a redaction, whose value is gone, the user
// can only say that it was not a secret.
type Say struct {
	Value     string `json:"value,omitempty"`
	Redaction int64  `json:"redaction,omitempty"`
	Secret    bool   `json:"secret"`
}

// Verdict is what the user said about a value. It does not contain the value.
type Verdict struct {
	ID     string    `json:"id"`
	Secret bool      `json:"secret"`
	Shape  string    `json:"shape"`        // character classes of the value, such as Aa-0
	Of     string    `json:"of,omitempty"` // rule and tag of the redaction, if the value is gone
	At     time.Time `json:"at"`
}

// Verdicts answers GET /verdicts.
type Verdicts struct {
	Verdicts []Verdict `json:"verdicts"`
}

// Redactions answers GET /ledger/redactions, newest first.
type Redactions struct {
	Redactions []Redaction `json:"redactions"`
}

// Redaction is one redacted value. It does not contain the value.
type Redaction struct {
	ID    int64     `json:"id"` // id of the ledger row
	At    time.Time `json:"at"`
	Entry int64     `json:"entry,omitempty"` // the entry that contained it; 0 = a transcript
	Rule  string    `json:"rule"`
	Tag   string    `json:"tag"` // tag in its placeholder
	Field string    `json:"field"`
	Bytes int64     `json:"bytes"`
	Times int       `json:"times"`          // number of redactions of this value among those that were searched
	Sure  bool      `json:"sure,omitempty"` // a secret by its form: no verdict changes that
	Said  string    `json:"said,omitempty"` // id of the verdict because of which it is kept since then
}
