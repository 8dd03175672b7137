// Package value answers one question: what does this value look like, on its own?
//
// It tells random letters from words (random, labels), recognises values that are made up, variables, versions and
// examples (value, words), and knows the bytes of tokens (bytes). It never sees the text around a value.
package value
