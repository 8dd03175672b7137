package memory

import (
	"maps"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
	"gopkg.in/yaml.v3"
)

// texts returns what a document says: its names are made of that.
func (d *document) texts() [3]string {
	out := [3]string{d.body}
	for i, key := range []string{"title", "description"} {
		if n := d.get(key); n != nil {
			out[i+1] = n.Value
		}
	}
	return out
}

// dropNames removes what is made of texts that the gate removed. Tags made from its marks say nothing about the
// subject; tags and words of the title that stood in a removed text are a part of it: an answer is often a secret only
// next to its question. before is what the document said before the gate.
func (d *document) dropNames(before [3]string) {
	now := d.texts()
	d.lost = map[string]bool{}
	for i := range now {
		removed := map[string]bool{}
		eachWord(gateMark.ReplaceAllString(before[i], " "), func(w string) { removed[w] = true })
		eachWord(gateMark.ReplaceAllString(now[i], " "), func(w string) { delete(removed, w) })
		maps.Copy(d.lost, removed)
	}
	for _, key := range []string{"title", "description"} {
		if n := d.get(key); n != nil {
			n.Value = d.withoutLost(n.Value)
		}
	}
	pieces, names := markWords(strings.Join(now[:], "\n"))
	tags := d.get("tags")
	if tags == nil || tags.Kind != yaml.SequenceNode {
		return
	}
	tags.Content = slices.DeleteFunc(tags.Content, func(n *yaml.Node) bool {
		tag := strings.ToLower(n.Value)
		words := strings.FieldsFunc(tag, notInWord)
		return names[tag] || gateMark.MatchString(n.Value) || slices.ContainsFunc(words, d.isLost) ||
			len(words) > 0 && within(words, func(w string) bool { return pieces[w] })
	})
}

// markWords returns the words of the marks in a text that occur only there, and the names in the marks, such as those
// of rules.
func markWords(text string) (words, names map[string]bool) {
	words, names = map[string]bool{"redacted": true}, map[string]bool{}
	for _, mark := range gateMark.FindAllString(text, -1) {
		mark = strings.ToLower(mark)
		for w := range strings.FieldsFuncSeq(mark, notInWord) {
			words[w] = true
		}
		for name := range strings.FieldsFuncSeq(mark, func(r rune) bool { return strings.ContainsRune("[:#]", r) }) {
			names[name] = true
		}
	}
	eachWord(gateMark.ReplaceAllString(text, " "), func(w string) { delete(words, w) })
	return words, names
}

// withoutLost replaces the words of a line that the gate removed from another text. A line without such words stays as
// it is, to the byte.
func (d *document) withoutLost(line string) string {
	holds := func(s string) bool {
		return slices.ContainsFunc(strings.FieldsFunc(strings.ToLower(s), notInWord), d.isLost)
	}
	if len(d.lost) == 0 || !holds(gateMark.ReplaceAllString(line, " ")) {
		return line
	}
	all := strings.Fields(line)
	for i, word := range all {
		if !gateMark.MatchString(word) && holds(word) {
			all[i] = "…"
		}
	}
	return strings.Join(slices.CompactFunc(all, func(a, b string) bool { return a == "…" && b == "…" }), " ")
}

// isLost reports whether the gate removed all texts with a word.
func (d *document) isLost(word string) bool { return d.lost[word] }

// idReveals reports whether the document's id contains a word that the gate removed from its text.
func (d *document) idReveals() bool {
	if len(d.lost) == 0 {
		return false
	}
	id := d.get("id")
	return id != nil && slices.ContainsFunc(strings.FieldsFunc(strings.ToLower(id.Value), notInWord), d.isLost)
}

// eachWord calls f with each word of a text, in small letters, and with the form that it has in a name.
func eachWord(text string, f func(string)) {
	low := strings.ToLower(text)
	for w := range strings.FieldsFuncSeq(low, notInWord) {
		f(w)
	}
	ascii := strings.Map(func(r rune) rune {
		if r >= 0x80 {
			return -1
		}
		return r
	}, norm.NFKD.String(low))
	for w := range strings.FieldsFuncSeq(ascii, notInWord) {
		f(w)
	}
}

func notInWord(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) }
