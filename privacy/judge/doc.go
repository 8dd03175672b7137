// Package judge answers one question: is this candidate, in this place, a secret?
//
// A candidate after a name is an assignment; the strength of its name is passed next to it. secretvalue decides what is
// a secret for a name of that strength, named weighs the rest; passphrase judges values of several words; randomtoken
// judges tokens without a name. What is public has a veto (package public).
//
// What no reader takes out gets a score: score checks the words near cues, firststage and features describe them,
// weights contains the model that `make train-gate` fitted.
package judge
