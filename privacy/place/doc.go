// Package place answers one question: what does a place give away that needs no name?
//
// The operand of a command, the head of a request, the userinfo of a URL, the
// block of a key, the answer at a prompt.
package place
