package extract

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"keepmum/memory"
	"keepmum/privacy"
)

// Sizes of a candidate.
const (
	titleWords = 12
	leastWords = 3
	maxBody    = 1500 // bytes
	maxTags    = 5
)

// candidate words a finding: its sentences in our order, with what else there
// was and what it was about.
func (f finding) candidate(ctx context.Context, s Session, topic privacy.Clean, b Background) memory.Candidate {
	c := memory.Candidate{Primitive: f.primitive, Kind: f.kind, Title: f.titled, Body: f.body(topic), Confidence: f.confidence,
		Outcome: f.outcome, Told: f.told, Tags: f.tags(ctx, b)}
	id := privacy.Join("/", s.Agent, s.ID)
	for _, ref := range f.refs {
		c.Sources = append(c.Sources, memory.Source{Session: id, Ref: ref})
	}
	if len(f.refs) == 0 {
		c.Sources = []memory.Source{{Session: id}}
	}
	return c
}

func (f finding) body(topic privacy.Clean) privacy.Clean {
	facts := f.facts
	for len(facts) > 1 && facts[0].announces() && facts[0].text != f.key.text {
		facts = facts[1:] // what is done now is over when this is read
	}
	parts := []privacy.Clean{prose(facts)}
	if len(f.chosen) > 0 {
		parts = append(parts, privacy.Join("", privacy.Const("Chosen: "), prose(f.chosen)))
	}
	if len(f.considered) > 0 {
		parts = append(parts, privacy.Join("", privacy.Const("In answer to: "), prose(f.considered)))
	}
	if !f.trouble.IsZero() {
		parts = append(parts, f.seen())
	}
	if !topic.IsZero() && !strings.Contains(parts[0].String(), trimmed(topic).String()) {
		parts = append(parts, privacy.Join("", privacy.Const("Came up while working on: "), ended(topic)))
	}
	return privacy.Join("\n\n", parts...).Cut(maxBody)
}

// seen tells of the failure and of what was changed before it went away.
func (f finding) seen() privacy.Clean {
	said := privacy.Join("", privacy.Const("Seen as: "), ended(oneLine(f.trouble).Cut(200)))
	if !f.context.IsZero() {
		said = privacy.Join("", said, privacy.Const(" It failed in `"), oneLine(f.context).Cut(120), privacy.Const("`."))
	}
	if len(f.files) == 0 {
		return said
	}
	const few = 4
	files := slices.CompactFunc(slices.Clone(f.files), func(a, b privacy.Clean) bool { return a == b })
	return privacy.Join("", said, privacy.Const(" Changed before it went away: "), privacy.Join(", ", files[:min(few, len(files))]...), privacy.Const("."))
}

// prose makes running text of sentences, whatever way they were typed.
func prose(list []sentence) privacy.Clean {
	out := make([]privacy.Clean, 0, len(list))
	for _, s := range list {
		out = append(out, ended(capital(oneLine(s.text))))
	}
	return privacy.Join(" ", out...)
}

func ended(c privacy.Clean) privacy.Clean {
	s := c.String()
	if s == "" || strings.ContainsAny(s[len(s)-1:], ".!?:") {
		return c
	}
	return privacy.Join("", c.Slice(0, len(strings.TrimRight(s, ",;- "))), privacy.Const("."))
}

// oneLine takes the line ends out.
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

// capital begins with a capital letter. A name of code stays as it is.
func capital(c privacy.Clean) privacy.Clean {
	s := c.String()
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

// fromCause leaves out what only says that a cause follows: "the root cause was
// that …".
func (s sentence) fromCause() sentence {
	const before, enough = 2, 5 // words
	for _, h := range s.hits {
		if h.class != rootcause || h.from > before || len(s.words)-h.to < enough {
			continue
		}
		cut := h.to
		for cut < len(s.words)-enough && slices.Contains([]string{"was", "is", "that"}, s.words[cut].lower) {
			cut++
		}
		if cut == h.to {
			continue // it goes on otherwise: "turned out to be"
		}
		rest := s
		rest.words, rest.hits = s.words[cut:], nil
		return rest
	}
	return s
}

// title is the clause that says most, without its opening words.
func (f finding) title() privacy.Clean {
	s := f.key.fromCause()
	from, to := 0, len(s.words)
	if to > titleWords {
		from, to = s.clause(f.by)
	}
	for from < to-leastWords && filler(s.words, from) {
		from++
	}
	for _, h := range s.hits { // "from now on" says when, not what
		switch {
		case h.class == told && h.to == to && h.from-from >= leastWords:
			to = h.from
		case h.class == told && h.from == from && to-h.to >= leastWords:
			from = h.to
		}
	}
	to = min(to, from+titleWords)
	for to-from > leastWords && dangling(s.words[to-1].lower) {
		to--
	}
	if to-from < leastWords {
		from, to = 0, min(len(s.words), titleWords)
	}
	if to-from < leastWords {
		return f.longer()
	}
	return capital(oneLine(s.text.Slice(s.words[from].start, s.words[s.closed(from, to)-1].end)))
}

// closed is where a title ends that would end inside of parentheses.
func (s sentence) closed(from, to int) int {
	text := s.text.String()
	for i := to; i > from+leastWords; i-- {
		if part := text[s.words[from].start:s.words[i-1].end]; strings.Count(part, "(") <= strings.Count(part, ")") {
			return i
		}
	}
	return to
}

// longer puts a few words of the next sentence behind a key that is too short.
func (f finding) longer() privacy.Clean {
	parts := []privacy.Clean{capital(trimmed(f.key.text))}
	for _, s := range f.facts {
		if s.text != f.key.text && len(s.words) >= leastWords {
			to := min(len(s.words), titleWords-len(f.key.words))
			parts = append(parts, oneLine(s.text.Slice(s.words[0].start, s.words[to-1].end)))
			break
		}
	}
	return privacy.Join(": ", parts...)
}

func trimmed(c privacy.Clean) privacy.Clean {
	return c.Slice(0, len(strings.TrimRight(c.String(), " .,;:!?")))
}

// clause returns the words of the clauses that say most and fit a title.
func (s sentence) clause(by classifier) (from, to int) {
	bounds := []int{0}
	for i := 1; i < len(s.words); i++ {
		gap := s.text.String()[s.words[i-1].end:s.words[i].start]
		if strings.ContainsAny(gap, ",;:()") || strings.Contains(gap, "–") || strings.Contains(gap, " - ") || turns(s.words[i].lower) {
			bounds = append(bounds, i)
		}
	}
	bounds = append(bounds, len(s.words))
	top := math.Inf(-1)
	for n, start := range bounds[:len(bounds)-1] {
		end := min(start+titleWords, len(s.words))
		for _, b := range bounds {
			if b > start && b <= start+titleWords {
				end = b
			}
		}
		const skipped = 0.75 // each clause that is left out
		if w := s.weight(by, start, end) - skipped*float64(n); w > top {
			top, from, to = w, start, end
		}
	}
	return from, to
}

// turns reports whether a clause begins with this word.
func turns(w string) bool {
	switch w {
	case "because", "bc", "since", "so", "although", "but", "weil", "denn", "parce", "car", "porque", "which", "while", "otherwise":
		return true
	}
	return false
}

// weight is how much a range of words says, and a little for its length.
func (s sentence) weight(by classifier, from, to int) float64 {
	n := 0.3*by.gain(s, from, to) + 0.02*float64(min(to-from, titleWords))
	if to-from < leastWords {
		n--
	}
	if turns(s.words[from].lower) {
		n -= 1.5 // a consequence, not the thing
	}
	for _, h := range s.hits {
		if h.from < from || h.to > to {
			continue
		}
		switch h.class {
		case choice, told, always, agreed, rootcause, firm:
			n += 2
		case rule, quant, weak, house, harm, cause, otherwise, whenever, subtle, process:
			n++
		}
	}
	return n
}

// filler reports whether a word at the beginning of a title says nothing.
// "no malloc" is a rule, "no, use" is not.
func filler(words []token, i int) bool {
	switch words[i].lower {
	case "no":
		return i+1 < len(words) && words[i+1].start-words[i].end > 1
	case "would", "think", "say": // only as "I would"
		return i > 0 && words[i-1].lower == "i"
	case "i":
		return i+1 < len(words) && (words[i+1].lower == "would" || words[i+1].lower == "think" || words[i+1].lower == "say")
	case "so", "ok", "okay", "yeah", "yes", "yep", "nope", "nah", "well", "hm", "hmm", "oh", "ah", "ugh", "and", "but", "also",
		"then", "please", "let", "us", "let's", "lets", "wait", "actually", "better", "jesus", "because", "since", "bc", "that",
		"nee", "nein", "non", "sí", "oui", "ja", "bitte", "und", "et", "y", "pero", "mais", "aber", "which", "now", "just",
		"remember", "i'd", "whats", "what's":
		return true
	}
	return false
}

// dangling reports whether a title must not end with this word.
func dangling(w string) bool {
	switch w {
	case "a", "an", "the", "and", "or", "but", "of", "to", "in", "on", "at", "for", "with", "by", "from", "as", "that", "which", "is",
		"are", "was", "were", "be", "so", "we", "i", "it", "its", "our", "my", "your", "their", "this", "before", "after", "when", "if",
		"than", "because", "since", "into", "und", "oder", "der", "die", "das", "ein", "eine", "mit", "für", "et", "ou", "le", "la",
		"les", "un", "une", "de", "du", "des", "el", "los", "las", "y", "o", "con", "para", "que", "not", "no", "only", "even", "just":
		return true
	}
	return false
}

// tags are names of code first, then the words that are rare in the project.
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
	slices.SortStableFunc(list, func(x, y *tag) int { return cmp.Compare(y.score, x.score) })
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
		return // the words are as good as any; only their order suffers
	}
	for _, t := range list {
		scale(t, math.Log(1+float64(docs+1)/float64(1+df[word(t)])))
	}
}

// within is a word without its backquotes.
func within(text privacy.Clean, w token) privacy.Clean {
	c := text.Slice(w.start, w.end)
	if s := c.String(); len(s) > 2 && s[0] == '`' {
		return c.Slice(1, len(s)-1)
	}
	return c
}

// lowerCase lowers the letters of ASCII.
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
