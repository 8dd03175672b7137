package capture

import (
	"errors"
	"time"

	"keepmum/privacy/verdict"
)

// Verdict is what the user said of a value, as it is shown: nothing that finds it.
type Verdict struct {
	ID     string    `json:"id"`
	Secret bool      `json:"secret"`
	Shape  string    `json:"shape"`
	At     time.Time `json:"at"`
}

// Verdicts leaves the hashes out.
func Verdicts(said []verdict.Said) []Verdict {
	out := []Verdict{}
	for _, s := range said {
		out = append(out, Verdict{s.ID, s.Secret, s.Shape, s.At})
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

// Say remembers what the user says of a value, by its keyed hash. What has the form of a
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
