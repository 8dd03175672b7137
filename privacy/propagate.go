package privacy

import (
	"encoding/base64"
	"encoding/hex"
	"strings"

	"keepmum/privacy/assign"
	"keepmum/privacy/judge"
	"keepmum/privacy/known"
	"keepmum/privacy/place"
	"keepmum/privacy/scan"
	"keepmum/privacy/value"
)

// spreads reports whether a finding is sure enough, and its value distinctive enough, to redact it wherever else it
// occurs. A value that a rule recognises by its form only needs a digit. A value that is secret only because of its
// name or place must look random or made up by itself, otherwise ordinary words, names from code or products with their
// version would be redacted; if it is only no word, it must not be in the text often.
func spreads(rule, v, text string) bool {
	switch {
	case rule == scan.RulePrivate || rule == scan.RuleRandom || len(v) < scan.MinSecret || len(v) > scan.MaxValue:
		return false
	case rule == scan.RulePassword || rule == scan.RuleSecret || rule == place.RuleURL || rule == place.RuleHTTP:
		return distinct(v) || judge.Coined(v) && strings.Count(text, v) <= maxRepeats
	}
	return strings.ContainsAny(v, "0123456789") || len(v) >= value.SpreadMarked && !wordlike(v) ||
		known.JumbledLetters(v) || known.Phrase(v)
}

// maxRepeats is how often a text may contain a password that is not a word. A name from a program is repeated far more
// often: one text contained such a name 2,900 times.
const maxRepeats = 16

// distinct reports whether a value is not a word, a name from code, an address or a small number.
func distinct(v string) bool {
	switch {
	case value.Integer(v):
		return len(v) >= value.SpreadDigits
	case value.Random(v), value.HexKey(v), value.UUIDLike(v), known.JumbledLetters(v), known.Phrase(v):
		return true
	case value.CodeLike(v), value.PathLike(v), value.Expression(v) && !numberedWords(v), judge.HostLike(v):
		return false
	case value.SymbolPassword(v), value.LettersAndDigits(v) && spelledInDigits(v):
		return true
	}
	return value.LettersAndDigits(v) && !value.HasCodeWord(v, false) ||
		value.PunctuatedPassword(v) && value.CountKinds(v).Digits > 0 || symbolic(v)
}

// numberedWords reports whether what could be a product or a sum is rather words and a number: Winter*Berlin24.
func numberedWords(v string) bool {
	n := value.CountKinds(v)
	return len(v) >= value.SpreadMarked && n.Digits > 1 && n.Upper > 1 && n.Lower > n.Upper
}

// spelledInDigits reports whether digits take the place of letters: what is between them are no words.
func spelledInDigits(v string) bool { return value.CountKinds(v).Runs > 2 && !value.Expression(v) }

// symbolic reports whether a value has a symbol that is usual in passwords, with a digit and letters or much else.
func symbolic(v string) bool {
	if !strings.ContainsAny(v, "!#$%^*?+~&@") {
		return false
	}
	n := value.CountKinds(v)
	return n.Digits > 0 && n.Lower+n.Upper > 2 || len(v) >= value.SpreadMarked && !strings.Contains(v, " ")
}

// wordlike reports whether a value is only letters and what joins words.
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
	for _, l := range p.doc.nodes {
		if l.field == "" || len(l.text) < scan.AnchorLen {
			continue
		}
		if more := found.In(l.text); len(more) > 0 {
			more = scan.Subtract(scan.Merge(more), p.g.ownMarks(l.text))
			l.spans = scan.Merge(append(l.spans, more...))
		}
	}
}

// otherwise returns other forms in which a value may occur in the same event: what it stands for, with and without the
// account name, and as hex and base64. Of several words, those that look made up by themselves are forms of it too: a
// word behind the value may have been taken for a part of it.
func otherwise(v string) (out []string) {
	const most = 128
	if len(v) < 8 || len(v) > most {
		return nil
	}
	add := func(text string) {
		if spreads(scan.RuleMemory, text, "") && text != v {
			out = append(out, text)
		}
	}
	for _, word := range madeUp(v) {
		add(word)
	}
	if text := value.DecodeBase64(strings.TrimRight(v, "=")); len(text) >= 6 && value.Readable(text) && value.ASCII(text) {
		text = strings.TrimSpace(text)
		if n := assign.AccountName(text); n == 0 || !value.Placeholder(text[n:]) && !wordlike(text[n:]) {
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

// madeUp returns those of several words that look made up by themselves.
func madeUp(v string) (out []string) {
	if !strings.Contains(v, " ") {
		return nil
	}
	for word := range strings.FieldsSeq(v) {
		if len(word) >= scan.MinSecret && distinct(word) {
			out = append(out, word)
		}
	}
	return out
}

// Known redacts in a cleaned text what has been recognised as a secret of its session since.
func (g *Gate) Known(session string, text *Clean) (out []Finding) {
	if g.mode == ModeNone {
		return nil
	}
	spans, err := g.memory.Spans(session, text.s)
	if err != nil {
		text.s = scan.Withheld(reason(err))
		return nil
	}
	spans = scan.Subtract(scan.Merge(g.allowed(text.s, spans)), g.ownMarks(text.s))
	for _, s := range spans {
		out = append(out, Finding{Rule: s.Rule, Field: "text", Bytes: s.End - s.Start, MAC: g.macs.Hex(s.In(text.s))})
	}
	if len(spans) > 0 {
		text.s = scan.Replace(text.s, spans, func(s scan.Span) string { return g.marked(s, text.s) })
	}
	return out
}
