package privacy

import (
	"errors"
	"slices"

	"keepmum/privacy/scan"
)

// ErrSure says that a value is a secret by its form: no verdict changes that.
var ErrSure = errors.New("the value has the form of a secret: a token of a vendor, or a private key")

// MayBeWrong reports whether the finding of a rule is a judgement, which the user may
// know better: not a vendor's form, a private key, a pattern, or a secret of this machine.
func MayBeWrong(rule string) bool {
	return scan.Generic(rule) || rule == "url-password" || rule == "http-credential"
}

// allowed leaves out the spans of values that the user said are no secrets, where
// nothing surer is in them.
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

// CheckPublic is an error for a value of which no verdict may say that it is no secret.
func (g *Gate) CheckPublic(value string) error {
	for _, s := range g.rules().Read(value, scan.Options{}) {
		if !MayBeWrong(s.Rule) {
			return ErrSure
		}
	}
	return nil
}
