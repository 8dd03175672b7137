package hooks

import (
	"strings"

	"keepmum/lazyregexp"
	"keepmum/speaker"
)

// ownBlock is what we inject; it must never come back as something new.
var ownBlock = lazyregexp.New(`(?s)<mum-context\b[^>]*>.*?</mum-context>`)

// StripWrappers returns the part of a prompt that the user submitted.
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

// stripTree removes our own blocks from every string of a decoded value: a
// tool may have read a transcript with what we injected in it.
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
