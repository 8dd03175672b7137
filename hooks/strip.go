package hooks

import (
	"strings"

	"keepmum/lazyregexp"
	"keepmum/speaker"
)

// ownBlock matches the text that we inject; it must never be captured again.
var ownBlock = lazyregexp.New(`(?s)<mum-context\b[^>]*>.*?</mum-context>`)

// StripWrappers returns the part of a prompt that the user typed.
func StripWrappers(prompt string) string {
	typed, _ := speaker.Typed(prompt)
	return typed
}

func stripOwn(s string) string {
	if !strings.Contains(s, "<mum-context") {
		return s
	}
	return ownBlock.ReplaceAllString(s, "")
}

// stripTree removes our injected text from every string of a decoded value: a tool may have read a transcript that
// contains it.
func stripTree(v any) any {
	switch v := v.(type) {
	case string:
		return stripOwn(v)
	case []any:
		for i := range v {
			v[i] = stripTree(v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = stripTree(v[k])
		}
	}
	return v
}
