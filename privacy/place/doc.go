// Package place answers one question: which secrets does their place reveal, without a name?
//
// Such places are the operand of a command, an HTTP header, the userinfo of a URL, a key block, and the answer to a
// prompt.
package place
