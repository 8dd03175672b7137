// Package judge answers one question: is this candidate, in this place, a secret?
//
// A candidate is an [Assignment]: a span, the separator before it, and what is known about its place; the strength of
// its name is passed next to it. fits decides what is a secret for a name of that strength; public, symbol and openname
// are the vetoes; spelling, phrases and wordpass judge words; nearby judges tokens without a name.
//
// What no reader takes out gets a score: weigh checks the words near cues, first and features describe them, weights
// contains the model that `make train-gate` fitted.
package judge
