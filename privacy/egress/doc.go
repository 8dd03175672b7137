// Package egress answers one question: does this text, which another gate has
// already cleaned, still look as if a secret were in it?
//
// It is the second opinion before anything goes to a model, and it shares no
// code, no rule data and no way of judging with the first: regular expressions
// of RE2 instead of a keyword automaton, key names instead of providers'
// rules, and the shape of a token instead of the likelihood of its letters. What
// it flags is not sent, and nothing else is lost: the heuristic summary stays.
// So it prefers doubt. It is linear in the length of the text.
package egress
