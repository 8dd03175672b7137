package transcript

import (
	"keepmum/lazyregexp"
	"keepmum/speaker"
)

// typedCommand matches a shell command that a person typed.
var typedCommand = lazyregexp.New(`(?s)<bash-input>(.*?)</bash-input>`)

// untyped returns the part of a prompt that nobody typed.
func untyped(prompt string) string {
	_, untyped := speaker.Typed(prompt)
	return untyped
}

// typed returns the part of a prompt that a person submitted.
func typed(prompt string) string {
	typed, _ := speaker.Typed(prompt)
	return typed
}
