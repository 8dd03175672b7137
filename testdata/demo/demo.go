// Package demo answers one question: what does a session look like that is full of secrets?
//
// It is a recorded-looking Claude Code session with invented secrets in a
// prompt, tool outputs, nested JSON, a JSON key, a path and a denied file.
package demo

import _ "embed" // the files are part of the program: `mum demo` needs no checkout

// Session holds one hook payload per line.
//
//go:embed session.jsonl
var Session []byte

// Next begins a later session in the same project.
//
//go:embed next.jsonl
var Next []byte

// Planted lists the secrets, and where each one stands.
//
//go:embed planted.json
var Planted []byte
