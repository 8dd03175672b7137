// Package view answers one question: how else can these bytes be read?
//
// It reads text without the marks before its lines (gutter), decoded (encoded, escape), with lookalike letters replaced
// (lookalike), and without colours and escapes (view). Each reading maps back to the original bytes.
package view
