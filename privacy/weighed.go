package privacy

import "keepmum/privacy/scan"

// Weighed calls see with each candidate of a text that the learned judge scores, and returns what the readers and the
// judge redact: the data that `make train-gate` fits to.
func Weighed(text string, see func(scan.Judged)) []scan.Span {
	return sharedRules().Read(text, scan.Options{Watch: see})
}
