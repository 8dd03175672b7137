package capture

import (
	"errors"
	"time"

	"keepmum/privacy"
	"keepmum/privacy/verdict"
)

// Verdict is what the user said about a value, for display: without the hash, which could identify the value.
type Verdict struct {
	ID     string    `json:"id"`
	Secret bool      `json:"secret"`
	Shape  string    `json:"shape"`
	Of     string    `json:"of,omitempty"`
	At     time.Time `json:"at"`
}

// Verdicts removes the hashes.
func Verdicts(said []verdict.Said) []Verdict {
	out := []Verdict{}
	for _, s := range said {
		out = append(out, Verdict{s.ID, s.Secret, s.Shape, s.Of, s.At})
	}
	return out
}

var errNoKey = errors.New("a verdict needs the key of a data directory, and there is none")

// Said returns the verdicts of the user.
func (i *Intake) Said() ([]verdict.Said, error) { return i.gates.options.Verdicts.List() }

// Unsay removes a verdict.
func (i *Intake) Unsay(id string) error {
	if i.gates.options.Verdicts == nil {
		return errNoKey
	}
	return i.gates.options.Verdicts.Remove(id)
}

// Say remembers what the user says about a value, by its keyed hash. A value with the form of a vendor's token or a
// private key stays a secret.
func (i *Intake) Say(value string, secret bool) (verdict.Said, error) {
	if i.gates.options.Verdicts == nil {
		return verdict.Said{}, errNoKey
	}
	if !secret {
		if err := i.gates.user.CheckPublic(value); err != nil {
			return verdict.Said{}, err
		}
	}
	return i.gates.options.Verdicts.Say(value, secret)
}

// SayOf remembers that something that a rule redacted is not a secret. It takes the recorded hash, because the value is
// gone. What is a secret by its form stays one.
func (i *Intake) SayOf(hash, rule string) (verdict.Said, error) {
	switch {
	case i.gates.options.Verdicts == nil:
		return verdict.Said{}, errNoKey
	case !privacy.MayBeWrong(rule):
		return verdict.Said{}, privacy.ErrSure
	case len(hash) < tagLength:
		return verdict.Said{}, errors.New("the whole text was redacted, so there is no hash of a value")
	}
	return i.gates.options.Verdicts.SayOf(hash, rule+"#"+hash[:tagLength])
}

// tagLength is how many characters of a hash a placeholder shows.
const tagLength = 4
