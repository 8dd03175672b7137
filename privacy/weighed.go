package privacy

import "keepmum/privacy/scan"

// Weighed calls see with each candidate of a text that the learned judge weighs, and
// returns what the readers and the judge take out: what `make train-gate` fits to.
func Weighed(text string, see func(scan.Judged)) []scan.Span {
	return sharedRules().Read(text, scan.Options{Watch: see})
}
