package transcript

import (
	"regexp"
	"strings"
)

// wrapper matches blocks that agents put where prompts stand and nobody typed,
// our own injected block included. An unclosed tag stays: somebody is asking about it.
var wrapper = regexp.MustCompile(`(?s)` + strings.Join([]string{
	tagged("mum-context"), tagged("system-reminder"),
	tagged("command-name"), tagged("command-message"), tagged("command-contents"),
	tagged("local-command-stdout"), tagged("local-command-stderr"), tagged("local-command-caveat"),
	tagged("bash-stdout"), tagged("bash-stderr"),
	tagged("task-notification"), tagged("teammate-message"), tagged("ide_selection"), tagged("ide_opened_file"),
	tagged("environment_context"), tagged("user_instructions"), tagged("permissions instructions"),
	tagged("skills_instructions"), tagged("subagent_notification"), tagged("turn_aborted"),
	tagged("attached_files"), tagged("open_and_recently_viewed_files"), tagged("timestamp"),
}, "|"))

// untyped returns the part of a prompt that nobody typed.
func untyped(prompt string) string {
	if !strings.Contains(prompt, "<") {
		return ""
	}
	return strings.Join(wrapper.FindAllString(prompt, -1), "\n")
}

// typedCommand matches a command that a person typed for the shell.
var typedCommand = regexp.MustCompile(`(?s)<bash-input>(.*?)</bash-input>`)

// envelope matches tags whose content was typed.
var envelope = regexp.MustCompile(`</?(?:command-args|bash-input|user_query)>`)

func tagged(tag string) string {
	end, _, _ := strings.Cut(tag, " ")
	return `<` + tag + `\b[^>]*>.*?</` + end + `[^>]*>`
}

// typed returns the part of a prompt that a person wrote.
func typed(prompt string) string {
	if strings.Contains(prompt, "<") {
		prompt = envelope.ReplaceAllString(wrapper.ReplaceAllString(prompt, ""), "")
	}
	prompt = strings.TrimSpace(prompt)
	if strings.HasPrefix(prompt, "# AGENTS.md instructions") || strings.HasPrefix(prompt, "[Request interrupted by user") {
		return ""
	}
	return prompt
}
