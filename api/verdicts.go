package api

import "time"

// Say is the body of POST /verdicts: what the user says about a value, or of a redaction, whose
// value is gone: of that it can be said alone that it was none of a secret.
type Say struct {
	Value     string `json:"value,omitempty"`
	Redaction int64  `json:"redaction,omitempty"`
	Secret    bool   `json:"secret"`
}

// Verdict is what the user said about a value, which is not in it.
type Verdict struct {
	ID     string    `json:"id"`
	Secret bool      `json:"secret"`
	Shape  string    `json:"shape"`        // the sorts of its characters: Aa-0
	Of     string    `json:"of,omitempty"` // of a value that is gone: rule and tag of where it was taken out
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

// Redaction is one value that was taken out, which is not in it.
type Redaction struct {
	ID    int64     `json:"id"` // of the row of the ledger
	At    time.Time `json:"at"`
	Entry int64     `json:"entry,omitempty"` // that it was taken out of; 0 = of a transcript
	Rule  string    `json:"rule"`
	Tag   string    `json:"tag"` // as its placeholder has it
	Field string    `json:"field"`
	Bytes int64     `json:"bytes"`
	Times int       `json:"times"`          // that this value was taken out, among those that were looked at
	Sure  bool      `json:"sure,omitempty"` // by its form: no verdict changes that
	Said  string    `json:"said,omitempty"` // id of the verdict by which it is kept since
}
