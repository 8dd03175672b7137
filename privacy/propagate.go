package privacy

import (
	"encoding/base64"
	"encoding/hex"
	"strings"

	"keepmum/privacy/judge"
	"keepmum/privacy/known"
	"keepmum/privacy/scan"
	"keepmum/privacy/value"
)

// spreads reports whether a value is distinct enough to be taken out wherever
// else it stands: short or wordlike ones would tear holes into ordinary text.
func spreads(value string) bool {
	if len(value) < 6 || len(value) > 4096 {
		return false
	}
	return strings.ContainsAny(value, "0123456789") || len(value) >= 12 && !wordlike(value) || known.JumbledLetters(value) || known.Phrase(value)
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
	found := scan.NewFinder(p.values)
	for _, l := range p.forest.leaves {
		if l.field == "" || len(l.text) < scan.AnchorLen {
			continue
		}
		if more := found.In(l.text); len(more) > 0 {
			more = scan.Subtract(scan.Merge(more), p.g.ownMarks(l.text))
			l.spans = scan.Merge(append(l.spans, more...))
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
	if text := value.DecodeBase64(strings.TrimRight(v, "=")); len(text) >= 6 && value.Readable(text) && judge.ASCII(text) {
		text = strings.TrimSpace(text)
		if n := judge.AccountName(text); n == 0 || !value.Dummy(text[n:]) && !wordlike(text[n:]) {
			add(text)
			add(text[n:])
		}
	}
	if raw, err := hex.DecodeString(v); err == nil && value.Readable(string(raw)) {
		add(string(raw))
	}
	if len(v) <= most/2 {
		add(hex.EncodeToString([]byte(v)))
		add(base64.StdEncoding.EncodeToString([]byte(v)))
	}
	return out
}
