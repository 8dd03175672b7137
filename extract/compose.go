package extract

import (
	"cmp"
	"context"
	"math"
	"strings"
	"unicode/utf8"

	"keepmum/lazyregexp"
	"keepmum/memory"
	"keepmum/privacy"
	"keepmum/sorting"
)

// Sizes of a candidate.
const (
	titleWords = 12
	minWords   = 3
	maxBody    = 1500 // bytes
	maxTags    = 5
)

// candidate writes a finding as a candidate: its title, its sentences, the question that it answers, and what it came
// up with.
func (f finding) candidate(ctx context.Context, s Session, topic privacy.Clean, b Background) memory.Candidate {
	c := memory.Candidate{Primitive: f.primitive, Kind: f.kind, Title: f.title(), Body: f.body(topic),
		Confidence: f.confidence(), Outcome: memory.Unknown, Told: f.told, Standing: f.standing && f.told,
		Tags: f.tags(ctx, b), At: f.when}
	id := privacy.Join("/", s.Agent, s.ID)
	for _, ref := range f.refs {
		c.Sources = append(c.Sources, memory.Source{Session: id, Ref: ref})
	}
	return c
}

// confidence returns how sure a finding is, rounded to hundredths.
func (f finding) confidence() float64 { return float64(int(f.sure*100+.5)) / 100 }

func (f finding) body(topic privacy.Clean) privacy.Clean {
	parts := []privacy.Clean{prose(f.facts)}
	if !f.pasted.IsZero() {
		parts = append(parts, f.pasted)
	}
	if len(f.question) > 0 {
		parts = append(parts, privacy.Join("", privacy.Const("In answer to: "), prose(f.question)))
	}
	if !f.trouble.IsZero() {
		parts = append(parts, privacy.Join("", privacy.Const("Seen to fail: "), ended(oneLine(f.trouble))))
	}
	return privacy.Join("\n\n", append(parts, f.circumstances(topic)...)...).Cut(maxBody)
}

// circumstances says where a finding comes from. What is meant for all times has nothing to do with what it came up
// with.
func (f finding) circumstances(topic privacy.Clean) []privacy.Clean {
	switch {
	case f.repeated:
		return []privacy.Clean{privacy.Const(memory.SaidOften)}
	case f.standing && f.why != ByAgent:
		return []privacy.Clean{privacy.Const(memory.SaidAsRule)}
	case !topic.IsZero() && !f.states(topic):
		return []privacy.Clean{privacy.Join("", privacy.Const("Came up while working on: "), ended(topic))}
	case f.why != ByAgent:
		return []privacy.Clean{privacy.Const(memory.SaidOnce)}
	}
	return nil
}

// prose joins sentences into running text, however they were typed.
func prose(list []sentence) privacy.Clean {
	out := make([]privacy.Clean, 0, len(list))
	for _, s := range list {
		out = append(out, ended(capital(oneLine(s.withoutOrder()))))
	}
	return privacy.Join(" ", out...)
}

// ended returns a text with a full stop at its end, unless another sign ends it.
func ended(c privacy.Clean) privacy.Clean {
	s := c.String()
	last, _ := utf8.DecodeLastRuneInString(strings.TrimRight(s, "”’」』）")) // a full stop comes before these
	if s == "" || strings.ContainsRune(".!?:。！？：", last) {
		return c
	}
	return privacy.Join("", c.Slice(0, len(strings.TrimRight(s, ",;- ，；、"))), privacy.Const("."))
}

// oneLine removes line ends.
func oneLine(c privacy.Clean) privacy.Clean {
	s := c.String()
	var parts []privacy.Clean
	for i := 0; i < len(s); {
		n := strings.IndexAny(s[i:], "\r\n")
		if n < 0 {
			parts = append(parts, c.Slice(i, len(s)))
			break
		}
		if n > 0 {
			parts = append(parts, c.Slice(i, i+n))
		}
		i += n + 1
	}
	return privacy.Join(" ", parts...)
}

// capital makes the first letter a capital, also one in emphasis. A name from the code stays unchanged.
func capital(c privacy.Clean) privacy.Clean {
	s := c.String()
	if n := len(s) - len(strings.TrimLeft(s, "*")); n > 0 {
		return privacy.Join("", c.Slice(0, n), capital(c.Slice(n, len(s))))
	}
	if s == "" || s[0] < 'a' || s[0] > 'z' {
		return c
	}
	if word, _, _ := strings.Cut(s, " "); looksLikeCode(strings.TrimRight(word, ".,;:!?")) {
		return c
	}
	letters := privacy.Const("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
	at := int(s[0] - 'a')
	return privacy.Join("", letters.Slice(at, at+1), c.Slice(1, len(s)))
}

// title returns the statement: the sentence without the words that lead to it and without an instruction that follows
// it. If it depends on the sentence before, that one comes first.
func (f finding) title() privacy.Clean {
	t := f.key.headline(maxTitleWords)
	if !f.pasted.IsZero() {
		return words(privacy.Join(": ", trimmed(t), oneLine(f.pasted)), maxTitleWords+minWords)
	}
	if first := f.facts[0]; f.key.needsMore() && first.text != f.key.text {
		return privacy.Join(": ", trimmed(first.headline(titleWords)), t)
	}
	const few = 4 // words
	if len(f.question) > 0 && len(f.key.words) <= few && f.question[0].contents() > 1 {
		return privacy.Join(" ", f.question[0].headline(titleWords), t)
	}
	return t
}

// maxTitleWords is the maximum length of a title. A longer statement is cut at the end of a clause.
const maxTitleWords = 28

// afterwards matches the beginning of an instruction for now that follows a statement.
var afterwards = lazyregexp.New(
	`^(?:,|;| -)?\s*(?:and |then |so |now )*(?:please |kindly |now |then )*(?:add|fix|create|update|commit|push|spawn|merge|delete|write|explain|implement|tell|show|check|find|run|let me know|can you|could you)\b`)

// withoutOrder returns a sentence without the instruction for now that follows the statement.
func (s sentence) withoutOrder() privacy.Clean {
	end := s.statementEnd(0)
	if end == len(s.words) {
		return s.text
	}
	return s.text.Slice(0, s.closed(0, end))
}

// statementEnd returns the index of the word that begins such an instruction, or the number of words.
func (s sentence) statementEnd(from int) int {
	const early = 3 // words: an instruction that begins earlier is itself the statement
	text := s.text.String()
	for i := from + early; i < len(s.words); i++ {
		gap := text[s.words[i-1].end:s.words[i].start]
		if strings.ContainsAny(gap, ",;") && afterwards.MatchString(lowered(text[s.words[i].start:])) {
			return i
		}
	}
	return len(s.words)
}

// beginning returns the index of the word with which the statement of a sentence begins.
func (s sentence) beginning() (from int) {
	last := len(s.words) - minWords
	for from < last && s.opens(from) {
		from++
	}
	if from >= len(s.words) {
		return from
	}
	text, at := s.text.String(), s.words[from].start
	end := at + len(leadIn().FindString(text[at:]))
	for from < last && s.words[from].start < end {
		from++
	}
	return from
}

// headline returns a sentence without its opening words, cut to a number of words.
func (s sentence) headline(most int) privacy.Clean {
	from := s.beginning()
	to := s.statementEnd(from)
	if to-from > most {
		to = s.cut(from, most)
	}
	for to-from > minWords && to < len(s.words) && dangling(s.words[to-1].lower) {
		to--
	}
	if to <= from {
		return capital(oneLine(trimmed(s.text)))
	}
	return capital(trimmed(oneLine(s.text.Slice(s.opened(from, to), s.closed(from, to)))))
}

var opening = lazyregexp.New(`(?:\*+|["“(])$`)

// opened returns where the words between two indices begin, with the mark before the first one if it closes between
// them: "*all* dates".
func (s sentence) opened(from, to int) int {
	text := s.text.String()
	start, end := s.words[from].start, s.words[to-1].end
	mark := opening.FindString(text[:start])
	closing := mark
	switch mark {
	case "":
		return start
	case "“":
		closing = "”"
	case "(":
		closing = ")"
	}
	if strings.Contains(text[start:end], closing) || mark[0] != '*' && strings.HasPrefix(text[end:], closing) {
		return start - len(mark)
	}
	return start
}

// attached matches symbols that belong to the word before: C#, 20%, gen/, Vec<T>. A lone one, as in "5 €", belongs to
// it at the end of a clause. Emoji, emoticons and dashes do not.
var (
	attached = lazyregexp.New("^([#%*/+<>=‰°\\p{Sc}]*)[)\"'`\\]]*")
	alone    = lazyregexp.New(`^( ["'“]?[#%*/+<>=‰°\p{Sc}&@|~]{1,3}["'”]?)(?:[.,;:!?]|$)`)
)

// closed returns where the words between two indices end, with the symbols that follow the last one. Asterisks that end
// an emphasis are left out if it begins before these words.
func (s sentence) closed(from, to int) int {
	text := s.text.String()
	start, end := s.opened(from, to), s.words[to-1].end
	at := attached.FindStringSubmatchIndex(text[end:])
	mark, next := text[end:end+at[3]], end+at[1]
	if r, _ := utf8.DecodeRuneInString(text[next:]); mark != "" && (wordRune(r) || strings.Contains(text[:start], mark)) {
		return end
	}
	if at = alone.FindStringSubmatchIndex(text[next:]); at != nil {
		next += at[3]
	}
	return next
}

// cut returns where a headline of at most that many words ends: before the last clause that fits.
func (s sentence) cut(from, most int) int {
	end := from + most
	for i := end; i > from+most/2; i-- {
		if strings.ContainsAny(s.text.String()[s.words[i-1].end:s.words[i].start], ",;:()–") {
			return i
		}
	}
	return end
}

// opens reports whether a word at the beginning of a sentence says nothing. "no malloc" is a rule, "no, use" is not.
func (s sentence) opens(i int) bool {
	w := s.words[i]
	switch w.lower {
	case "no":
		return i+1 < len(s.words) && s.words[i+1].start-w.end > 1
	case "i", "i'd":
		return i+1 < len(s.words) &&
			(s.words[i+1].lower == "think" || s.words[i+1].lower == "feel" || s.words[i+1].lower == "guess")
	case "think", "feel", "guess":
		return i > 0 && s.words[i-1].lower == "i"
	case "so", "ok", "okay", "yeah", "yes", "yep", "nope", "nah", "well", "hm", "hmm", "hmmm", "oh", "ah", "ahh", "ugh",
		"and", "but", "also", "btw", "please", "pls",
		"wait", "actually", "nevermind", "mind", "great", "then", "now", "anyway", "just", "moreover", "however", "important",
		"fyi", "und", "et", "y", "так", "же", "и":
		return true
	case "never":
		return i+1 < len(s.words) && s.words[i+1].lower == "mind"
	}
	return false
}

// dangling reports whether a title must not end with this word.
func dangling(w string) bool {
	switch w {
	case "a", "an", "the", "and", "or", "but", "of", "to", "in", "on", "at", "for", "with", "by", "from", "as", "that",
		"which", "is",
		"are", "was", "were", "be", "so", "we", "i", "it", "its", "our", "my", "your", "their", "this", "before", "after",
		"when", "if",
		"than", "because", "since", "into", "und", "oder", "der", "die", "das", "ein", "eine", "mit", "für", "et", "ou", "le",
		"la",
		"les", "un", "une", "de", "du", "des", "el", "los", "las", "y", "o", "con", "para", "que", "not", "no", "only",
		"even", "just":
		return true
	}
	return false
}

// tags returns names from the code first, then the words that are rare in the project.
func (f finding) tags(ctx context.Context, b Background) []privacy.Clean {
	type tag struct {
		text  privacy.Clean
		score float64
	}
	seen := map[string]*tag{}
	var list []*tag
	for _, s := range append([]sentence{f.key}, f.facts...) {
		for _, w := range s.words {
			if !content(w) || len(w.lower) < 3 || len(w.lower) > 30 || strings.ContainsAny(w.lower, " /\n\"'(){}<>=,;") {
				continue
			}
			if seen[w.lower] == nil {
				seen[w.lower] = &tag{text: lowerCase(within(s.text, w))}
				list = append(list, seen[w.lower])
			}
			seen[w.lower].score++
			if w.code {
				seen[w.lower].score += 2
			}
		}
	}
	rarity(ctx, b, list, func(t *tag) string { return t.text.String() }, func(t *tag, n float64) { t.score *= n })
	sorting.Stable(list, func(x, y *tag) int { return cmp.Compare(y.score, x.score) })
	var out []privacy.Clean
	for _, t := range list[:min(len(list), maxTags)] {
		out = append(out, t.text)
	}
	return out
}

// rarity scales scores by how rare the words are in the project.
func rarity[T any](ctx context.Context, b Background, list []T, word func(T) string, scale func(T, float64)) {
	if b == nil || len(list) == 0 {
		return
	}
	words := make([]string, 0, len(list))
	for _, t := range list {
		words = append(words, word(t))
	}
	df, docs, err := b.DocumentFrequencies(ctx, words)
	if err != nil {
		return // the words are still good; only their order is not
	}
	for _, t := range list {
		scale(t, math.Log(1+float64(docs+1)/float64(1+df[word(t)])))
	}
}

// within returns a word without its backquotes.
func within(text privacy.Clean, w token) privacy.Clean {
	c := text.Slice(w.start, w.end)
	if s := c.String(); len(s) > 2 && s[0] == '`' {
		return c.Slice(1, len(s)-1)
	}
	return c
}

// lowerCase converts ASCII letters to lower case.
func lowerCase(c privacy.Clean) privacy.Clean {
	s := c.String()
	if s == strings.ToLower(s) || len(s) > maxWord {
		return c
	}
	letters := privacy.Const("abcdefghijklmnopqrstuvwxyz")
	parts := make([]privacy.Clean, 0, len(s))
	for i := 0; i < len(s); {
		_, n := utf8.DecodeRuneInString(s[i:])
		if s[i] >= 'A' && s[i] <= 'Z' {
			at := int(s[i] - 'A')
			parts = append(parts, letters.Slice(at, at+1))
		} else {
			parts = append(parts, c.Slice(i, i+n))
		}
		i += n
	}
	return privacy.Join("", parts...)
}

// trimmed returns a text without the punctuation at its end.
func trimmed(c privacy.Clean) privacy.Clean {
	return c.Slice(0, len(strings.TrimRight(c.String(), " .,;:!?。，；：！？")))
}
