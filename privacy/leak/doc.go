// Package leak answers one question: is a planted secret anywhere in these bytes?
//
// It looks for the secret as it is, for long pieces of it, and for its encoded forms. It is independent of the gate, so
// that it can judge the gate.
package leak
