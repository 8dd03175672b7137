// Package value answers one question: what does this value look like, on its own?
//
// Whether its letters are drawn or words (random, labels), whether it is made up,
// a variable, a version, an example (value, words), which bytes tokens are made of
// (bytes). Nothing here sees the text around a value.
package value
