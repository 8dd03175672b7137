package hooks

import (
	"strings"

	"keepmum/lazyregexp"
)

// ownBlock is what we inject; it must never come back as something new.
var ownBlock = lazyregexp.New(`(?s)<mum-context\b[^>]*>.*?</mum-context>`)

// wrapper matches blocks that agents put into prompts and nobody typed. An
// unclosed tag stays: somebody is asking about it.
var wrapper = lazyregexp.New(`(?s)` + strings.Join([]string{
	block("system-reminder"),
	block("command-name"), block("command-message"), block("command-contents"),
	block("local-command-stdout"), block("local-command-stderr"), block("local-command-caveat"),
	block("bash-stdout"), block("bash-stderr"),
	block("task-notification"), block("teammate-message"), block("ide_selection"), block("ide_opened_file"),
	block("environment_context"), block("user_instructions"), block("permissions instructions"),
	block("subagent_notification"), block("turn_aborted"),
	block("attached_files"), block("open_and_recently_viewed_files"),
}, "|"))

// envelope matches tags whose content was typed.
var envelope = lazyregexp.New(`</?(?:command-args|bash-input|user_query)>`)

func block(tag string) string {
	end, _, _ := strings.Cut(tag, " ")
	return `<` + tag + `>.*?</` + end + `[^>]*>`
}

// StripWrappers returns the part of a prompt that the user wrote.
func StripWrappers(prompt string) string {
	if !strings.Contains(prompt, "<") {
		return strings.TrimSpace(prompt)
	}
	prompt = wrapper.ReplaceAllString(stripOwn(prompt), "")
	return strings.TrimSpace(envelope.ReplaceAllString(prompt, ""))
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
