// Package extract answers one question: what in a session is worth remembering?
//
// Most sessions teach nothing that the code or git does not say, and then the answer is nothing. The heuristic needs no
// model; with a model, its answer is checked against a schema. Both only propose candidates: package memory decides
// about them, with the same checks for both.
//
// The heuristic reads a session as exchanges (talk.go) of sentences (prose.go), finds cues in them (cues.go, marks.go)
// and weighs these (cues/weights.tsv), and words what passes the threshold (statement.go, finding.go, compose.go).
package extract
