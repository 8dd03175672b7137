package main

import (
	"fmt"
	"strings"

	"keepmum/api"
)

// What happened to a candidate, or to a memory in maintenance, in words for readers who do not know our codes. The
// codes stay in --json.
var fates = map[string]string{
	"add": "kept as a new memory", "update": "added to a memory", "supersede": "kept; it replaces a memory",
	"instead": "kept; on its branch it replaces a memory", "history": "kept as history",
	"propose": "waiting for review (mum review)", "noop": "nothing to do", "reject": "not kept", "drop": "not kept",
	"merge": "merged", "archive": "archived", "consolidate": "consolidated by a model", "restore": "brought back",
}

// The reasons, in the same words.
var reasons = map[string]string{
	"new": "nothing similar was known", "similar": "it says more than what was known",
	"same":               "already known",
	"contradicts":        "it gives another answer to the same question",
	"other_value":        "it gives another value for the same key",
	"outdated":           "a newer memory is valid",
	"archived":           "you archived it",
	"low_confidence":     "not sure enough to be written",
	"below_the_bar":      "not sure enough to be written without asking you",
	"agents_word":        "the agent said it, not you",
	"bad_primitive":      "it is neither a decision nor a learning",
	"short_title":        "its title says too little",
	"short_body":         "it says too little",
	"body_repeats_title": "it says no more than its title",
	"placeholder":        "it is a placeholder, not a text",
	"speaks_to_model":    "it is an instruction to a model",
	"told_by_code":       "the code or git already says it",
	"session_only":       "it is not useful after the session",
	"no_object":          "it does not say what it is about",
	"taken_back":         "withdrawn later in the session",
	"said_again":         "a later statement of the session is about the same",
	"too_many":           "the session taught enough without it",
	"no_folder":          "nobody knows which project it was said in",
	"forgotten":          "you forgot it",
	"never_like_this":    "you chose never for something similar",
	"your_reviews":       "you turned down similar proposals",
	"proposed_before":    "it was proposed before",
	"not_valid":          "it cannot be written to a file",
	"no_signal":          "nothing in it reads like something to remember",
	"near_duplicate":     "nearly a duplicate of another memory",
	"exact_duplicate":    "a duplicate of another memory",
	"faded":              "not used for a long time",
	"junk":               "it says nothing",
	"superseded":         "another memory replaced it",
	"cut_short":          "its replacement was never written",
	"capacity":           "the limit is reached (memory.max_active)",
}

// inWords returns the words for a code; an unknown code stays as it is, without underscores.
func inWords(table map[string]string, code string) string {
	if text := table[code]; text != "" {
		return text
	}
	return words(code)
}

// reasonWords returns a reason in words, after a colon.
func reasonWords(code string) string {
	if code == "" {
		return ""
	}
	return ": " + oneLine(inWords(reasons, code), 160)
}

// sessionLine says what was read, and how much was found in it.
func sessionLine(l api.RunLine) string {
	who := fmt.Sprintf("  session %s of %s", l.Session, l.Project)
	if l.Action != "looked_at" {
		return who + ": " + words(l.Action) + reasonWords(l.Reason)
	}
	read := fmt.Sprintf("read %s, by %s", count(l.Steps, "step"), reader(l.By))
	if l.By == "note" {
		read = fmt.Sprintf("read the note %d", l.Entry)
	}
	if l.Candidates == 0 {
		return who + ": " + read + aside(l.Outcome) + reasonWords(l.Reason)
	}
	return fmt.Sprintf("%s: %s%s; %s that it may teach:", who, read, aside(l.Outcome),
		plural(l.Candidates, "thing", "things"))
}

// reader says who searched for what a session teaches.
func reader(by string) string {
	if by == "heuristic" || by == "" {
		return "the built-in rules"
	}
	return by
}

// candidateLine says what happened to a candidate, and why.
func candidateLine(l api.RunLine) string {
	form := l.Form
	if l.Confidence > 0 {
		form = strings.TrimPrefix(fmt.Sprintf("%s, %.0f %% sure", form, 100*l.Confidence), ", ")
	}
	return fmt.Sprintf("    %s%s: %q (%s%s%s)",
		inWords(fates, l.Action), about(" ", l.Memory), oneLine(l.Title, 120), form,
		about("; on branch ", l.Branch), strings.Replace(reasonWords(l.Reason), ": ", "; ", 1))
}

// stepLine says what maintenance did to a memory, and why.
func stepLine(l api.RunLine) string {
	return fmt.Sprintf("    %s: %s%s%s%s",
		l.Memory, inWords(fates, l.Action), about(" into ", l.Into), reasonWords(l.Reason),
		aside(l.Outcome))
}
