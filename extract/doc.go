// Package extract answers one question: what of a session is worth remembering?
//
// Most sessions teach nothing that the code or git does not say, and then the
// answer is nothing. The heuristic needs no model; with a model its answer is
// checked against a schema. Both propose candidates, none decides: that is done in
// memory, by the same checks for both.
//
// The heuristic reads a session as exchanges (talk.go), finds cues (lexicon.txt)
// and words in them (features.go), weighs these (classifier.go, weights.txt), and
// words what passes the bar (judge.go, work.go, compose.go).
package extract
