// Package judge answers one question: is this candidate, in this place, a secret?
//
// A candidate is an [Assignment]: a span, the separator before it, and what is known about its place; the strength of
// its name is passed next to it. secretvalue decides what is a secret for a name of that strength; public, symbol and
// publicname are the vetoes; spelling, phrases and passphrase judge words; randomtoken judges tokens without a name.
//
// What no reader takes out gets a score: score checks the words near cues, firststage and features describe them,
// weights contains the model that `make train-gate` fitted.
package judge
