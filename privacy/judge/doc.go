// Package judge answers one question: is this candidate a secret, in this place?
//
// A candidate is an [Assignment]: a span, the separator before it, and what is
// known about its place; the strength of its name is next to it. fits says what a
// name of that strength makes a secret; public, symbol and openname are the vetoes;
// spelling, phrases and wordpass judge words; nearby judges tokens without a name.
//
// What no reader takes is weighed: weigh looks at the words near cues, first and
// features say what they are like, weights holds what `make train-gate` fitted.
package judge
