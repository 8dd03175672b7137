// Package leak answers one question: is a planted secret anywhere in these bytes?
//
// It looks for the secret as it is, for long pieces of it, and for what an
// encoder may have made of it. It knows nothing of the gate, so that it can
// judge it.
package leak
