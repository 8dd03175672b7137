// Package view answers one question: how else can these bytes be read?
//
// Without the marks before lines (gutter), decoded (encoded), with other letters
// for those that look alike (lookalike), without colours and escapes (view). Each
// reading has a map back to the bytes that it came from.
package view
