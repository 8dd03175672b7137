package capture

import (
	"errors"
	"time"

	"keepmum/privacy"
	"keepmum/privacy/verdict"
)

// Verdict is what the user said about a value, as it is shown: nothing that finds it.
type Verdict struct {
	ID     string    `json:"id"`
	Secret bool      `json:"secret"`
	Shape  string    `json:"shape"`
	Of     string    `json:"of,omitempty"`
	At     time.Time `json:"at"`
}

// Verdicts leaves the hashes out.
func Verdicts(said []verdict.Said) []Verdict {
	out := []Verdict{}
	for _, s := range said {
		out = append(out, Verdict{s.ID, s.Secret, s.Shape, s.Of, s.At})
	}
	return out
}

var errNoKey = errors.New("there is no data directory whose key a verdict could be kept with")

// Said are the verdicts of the user.
func (i *Intake) Said() ([]verdict.Said, error) { return i.gates.options.Verdicts.List() }

// Unsay takes a verdict back.
func (i *Intake) Unsay(id string) error {
	if i.gates.options.Verdicts == nil {
		return errNoKey
	}
	return i.gates.options.Verdicts.Remove(id)
}

// Say remembers what the user says about a value, by its keyed hash. What has the form of a
// vendor's token or of a private key stays a secret.
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

// SayOf remembers that what a rule took out is no secret, by the hash that was noted of it:
// its value is gone. What is a secret by its form stays one.
func (i *Intake) SayOf(hash, rule string) (verdict.Said, error) {
	switch {
	case i.gates.options.Verdicts == nil:
		return verdict.Said{}, errNoKey
	case !privacy.MayBeWrong(rule):
		return verdict.Said{}, privacy.ErrSure
	case len(hash) < tagLength:
		return verdict.Said{}, errors.New("it was taken out as a whole: there is no hash of a value")
	}
	return i.gates.options.Verdicts.SayOf(hash, rule+"#"+hash[:tagLength])
}

// tagLength is how much of a hash a placeholder shows.
const tagLength = 4
