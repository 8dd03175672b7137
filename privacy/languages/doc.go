// Package languages answers one question: what are passwords, keys and accounts called in other languages?
//
// The answer is data: languages.txt, one word on a line.
package languages
