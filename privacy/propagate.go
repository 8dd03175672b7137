package privacy

import (
	"encoding/base64"
	"encoding/hex"
	"strings"
)

// in returns the secret a span stands for.
func (s span) in(text string) string {
	if s.value != "" {
		return s.value
	}
	return text[s.start:s.end]
}

// strong reports whether a finding is sure enough to be taken out elsewhere too.
// A short number behind a name is a secret there and a year or a version elsewhere.
func (s span) strong(value string) bool {
	const sure = 10 // digits
	return s.rule != rulePrivate && (!generic(s.rule) || s.rule == ruleMemory || len(value) >= sure || !integer(value))
}

// spreads reports whether a value is distinct enough to be taken out wherever
// else it stands: short or wordlike ones would tear holes into ordinary text.
func spreads(value string) bool {
	if len(value) < 6 || len(value) > 4096 {
		return false
	}
	return strings.ContainsAny(value, "0123456789") || len(value) >= 12 && !wordlike(value) || jumbledLetters(value) || phrase(value)
}

// jumbledLetters reports whether a value is letters alone in an order that no words have,
// however many of them are put together.
func jumbledLetters(v string) bool {
	return len(v) >= 12 && len(v) <= 128 && strings.Trim(v, letters) == "" && surprise(v) >= 5.5 && !camelWords(v) && !repetitive(v)
}

// phrase reports whether a value is so many words, none of them one of messages or
// labels, that nobody writes them one after the other without meaning it.
func phrase(v string) bool {
	const least = 4
	if strings.Count(v, " ") >= least-1 {
		return inWords(v)
	}
	return len(v) >= 16 && wordsJoined(v) && len(strings.FieldsFunc(v, func(r rune) bool { return strings.ContainsRune("-_.", r) })) >= least
}

func wordlike(value string) bool {
	for i := 0; i < len(value); i++ {
		c := value[i] | 0x20
		if (c < 'a' || c > 'z') && value[i] != '_' && value[i] != '-' && value[i] != ' ' {
			return false
		}
	}
	return true
}

// propagate marks the values found in one string in all the others.
func (p *passage) propagate() {
	if len(p.values) == 0 {
		return
	}
	found := newFinder(p.values)
	for _, l := range p.forest.leaves {
		if l.field == "" || len(l.text) < anchorLen {
			continue
		}
		if more := found.in(l.text); len(more) > 0 {
			more = subtract(merge(more), p.g.ownMarks(l.text))
			l.spans = merge(append(l.spans, more...))
		}
	}
}

// otherwise returns how else a value may be written in the same event: what it
// stands for, with and without the name of an account, and as hex and base64.
func otherwise(v string) (out []string) {
	const most = 128
	if len(v) < 8 || len(v) > most {
		return nil
	}
	add := func(text string) {
		if spreads(text) && text != v {
			out = append(out, text)
		}
	}
	if text := decodeBase64(strings.TrimRight(v, "=")); len(text) >= 6 && readable(text) && ascii(text) {
		text = strings.TrimSpace(text)
		if n := accountName(text); n == 0 || !dummy(text[n:]) && !wordlike(text[n:]) {
			add(text)
			add(text[n:])
		}
	}
	if raw, err := hex.DecodeString(v); err == nil && readable(string(raw)) {
		add(string(raw))
	}
	if len(v) <= most/2 {
		add(hex.EncodeToString([]byte(v)))
		add(base64.StdEncoding.EncodeToString([]byte(v)))
	}
	return out
}
