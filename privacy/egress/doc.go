// Package egress answers one question: does this text, which another gate has already cleaned, still look as if it
// contained a secret?
//
// It is the second opinion before anything is sent to a model, and it shares no code, rules or methods with the first:
// RE2 expressions instead of a keyword automaton, key names instead of vendors' rules, and the shape of a token instead
// of the likelihood of its letters. What it flags is not sent, and the only cost is that the heuristic summary is kept;
// so in doubt, it flags. Its time is linear in the length of the text.
package egress
