package compress

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"keepmum/lazyregexp"
)

// errJunk means that a text is not a summary. It names the fault, never the text.
var errJunk = errors.New("not a summary")

// types are the allowed types of a summary.
var types = []string{"decision", "bugfix", "feature", "refactor", "discovery", "pattern", "change", "note"}

var (
	placeholders = lazyregexp.New(
		`(?i)^\W*(?:n/?a|none|null|undefined|todo|tbd|string|summary|text|no summary(?: available)?|lorem ipsum.*|\.{3}|your summary here.*|<[^>]*>|\{[^}]*\})\W*$`)
	refusals = lazyregexp.New(
		`(?i)^(?:i(?:'m| am) (?:sorry|unable|an ai)|i cannot|i can't|as an ai|here is (?:a|the) summary|sure[,!])`)
	letters = lazyregexp.New(`\p{L}`)
)

// check refuses what is not a summary: nothing, a placeholder, a refusal, noise, or the question repeated.
func check(d draft, asked string) error {
	text := strings.TrimSpace(d.Text)
	switch {
	case len(text) < 8 || len(letters.FindAllString(text, 8)) < 8:
		return fmt.Errorf("%w: too little text", errJunk)
	case placeholders.MatchString(text):
		return fmt.Errorf("%w: a placeholder", errJunk)
	case refusals.MatchString(text):
		return fmt.Errorf("%w: talk instead of an answer", errJunk)
	case !slices.Contains(types, d.Type):
		return fmt.Errorf("%w: an unknown type", errJunk)
	case !wordsLike(text):
		return fmt.Errorf("%w: noise", errJunk)
	case asked != "" && echoes(text, asked):
		return fmt.Errorf("%w: an echo of the question", errJunk)
	}
	return nil
}

// wordsLike reports whether a text has the spaces and letters of a sentence.
func wordsLike(text string) bool {
	n, all := len(letters.FindAllString(text, -1)), len([]rune(text))
	longest := 0
	for _, w := range strings.Fields(text) {
		longest = max(longest, len(w))
	}
	return n*2 >= all && longest <= 120 && strings.ContainsAny(text, " \u3000\u3001\u3002")
}

// echoes reports whether an answer repeats the instructions, or quotes what it should have summarised.
func echoes(text, asked string) bool {
	flat, question := fold(text), fold(asked)
	const piece = 120 // shorter quotations are legitimate
	if len(flat) <= piece {
		return strings.Contains(fold(instructions), flat)
	}
	return strings.Contains(question, flat[:piece]) && strings.Contains(question, flat[len(flat)-piece:]) ||
		strings.Contains(fold(instructions), flat[:piece])
}

func fold(s string) string { return strings.Join(strings.Fields(strings.ToLower(s)), " ") }

// parse parses a model's answer by the schema. Unknown members are an error: a model that invents members invents more.
func parse(answer string) (draft, error) {
	var in struct {
		Summary  string   `json:"summary"`
		Type     string   `json:"type"`
		Files    []string `json:"files"`
		Concepts []string `json:"concepts"`
	}
	dec := json.NewDecoder(strings.NewReader(strings.TrimSpace(answer)))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&in); err != nil || dec.More() {
		return draft{}, fmt.Errorf("%w: not the JSON that was asked for", errJunk)
	}
	return draft{Text: shorten(in.Summary, maxText), Type: strings.ToLower(in.Type), Files: in.Files,
		Concepts: in.Concepts}, nil
}
