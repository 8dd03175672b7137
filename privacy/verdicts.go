package privacy

import (
	"errors"
	"slices"

	"keepmum/privacy/place"
	"keepmum/privacy/scan"
)

// ErrSure means that a value is a secret by its form: no verdict changes that.
var ErrSure = errors.New("the value has the form of a secret: a token of a vendor, or a private key")

// MayBeWrong reports whether a rule's findings are judgements that the user may correct: not a vendor's token, a
// private key, a user pattern, or a secret of this machine.
func MayBeWrong(rule string) bool {
	return scan.Generic(rule) || rule == place.RuleURL || rule == place.RuleHTTP
}

// allowed removes the spans of values that the user marked as not secret, unless they contain something surer.
func (g *Gate) allowed(text string, spans []scan.Span) []scan.Span {
	var sure []scan.Span
	for _, s := range spans {
		if !MayBeWrong(s.Rule) {
			sure = append(sure, s)
		}
	}
	return slices.DeleteFunc(spans, func(s scan.Span) bool {
		return MayBeWrong(s.Rule) && g.verdicts.Public(s.In(text)) && !touches(sure, s.Start, s.End)
	})
}

// CheckPublic returns an error for a value that no verdict may mark as not secret.
func (g *Gate) CheckPublic(value string) error {
	for _, s := range g.rules().Read(value, scan.Options{}) {
		if !MayBeWrong(s.Rule) {
			return ErrSure
		}
	}
	return nil
}
