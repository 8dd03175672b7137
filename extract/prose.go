package extract

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"keepmum/lazyregexp"
	"keepmum/privacy"
	"keepmum/speaker"
)

// sentence is one sentence of a message, as it was typed.
type sentence struct {
	text     privacy.Clean
	words    []token // positions in text
	plain    string  // its own words in lower case, without quotations
	question bool
	item     bool // begins a list item
	first    bool // begins a line
	holed    bool // a part is missing: the gate removed it, or the message was too long
	para     int  // index of its paragraph
	end      int  // its end in the message
}

// said is a message split into sentences, without what was pasted into it.
type said struct {
	text privacy.Clean
	list []sentence
	size int // number of words in sentences that are not questions
}

const (
	maxMessage   = 20_000 // bytes of a message that are read; nobody types more
	maxSentences = 200
)

var (
	redacted = lazyregexp.New(`\[(?:REDACTED|EXCLUDED|WITHHELD|CUT):[^\]\s]*\]`)
	listItem = lazyregexp.New(`^\s*(?:[-*•]|\(?\d{1,2}[.):]|\(?[a-hA-H]\)|[A-H][.:])\s+`)
	asking   = lazyregexp.New(
		`(?i)^(?:(?:ok|okay|so|and|but|also|hmm+|ah+|wait|then|now|or|just|sorry)[,.]* )*(?:what|whats|what's|why|how|hows|where|when (?:do|does|did|is|are|will)|which|who|whose|` +
			`is (?:it|that|there|the|this|our)|are (?:we|there|you|they|all)|do (?:we|you|i|they)|does|did|can (?:we|you|i)|could (?:we|you|i)|would (?:you|it)|should (?:we|i)|shouldn'?t|isn'?t|doesn'?t|have (?:you|we)|has)\b`)
)

// read splits a message into sentences.
func read(text privacy.Clean) said {
	long := len(text.String()) > maxMessage
	text = text.Cut(maxMessage)
	flat := mask(text.String())
	out := said{text: text}
	para, offset := 0, 0
	for line := range strings.Lines(flat) {
		if strings.TrimSpace(line) == "" {
			para++
		}
		out.line(line, offset, para)
		offset += len(line)
		if len(out.list) >= maxSentences {
			break
		}
	}
	if n := len(out.list); long && n > 0 {
		out.list[n-1].holed = true
	}
	for _, s := range out.list {
		if !s.question {
			out.size += len(s.words)
		}
	}
	return out
}

func (m *said) line(line string, offset, para int) {
	at := 0
	item, first := false, true
	// a single line is not a list
	if x := listItem.FindStringIndex(line[:min(len(line), 12)]); x != nil &&
		strings.Contains(strings.TrimSpace(m.text.String()), "\n") {
		at, item = x[1], true
	}
	for at < len(line) && len(m.list) < maxSentences {
		end := sentenceEnd(line, at)
		if s, ok := newSentence(m.text, offset+at, offset+end, line[at:end]); ok {
			s.item, s.first, s.para = item, first, para
			item, first = false, false
			m.list = append(m.list, s)
		}
		at = end
	}
}

// newSentence makes a sentence from a part of the text; masked has the same bytes without what was pasted.
func newSentence(text privacy.Clean, from, to int, masked string) (sentence, bool) {
	whole := text.Slice(from, to)
	left := len(masked) - len(strings.TrimLeft(masked, " \t\r\n"))
	right := len(strings.TrimRight(whole.String(), " \t\r\n"))
	if left >= right {
		return sentence{}, false
	}
	s := sentence{text: whole.Slice(left, right), words: tokenize(masked[left:right]), end: to,
		holed: redacted.MatchString(whole.String()[left:])}
	if len(s.words) == 0 || strings.ContainsRune(",;)", rune(masked[left])) { // its beginning was pasted
		return s, false
	}
	s.plain = lowered(strings.Join(strings.Fields(masked[left:right]), " "))
	if before := whole.String()[:left]; redacted.MatchString(before) {
		s.holed = s.holed || strings.TrimSpace(before) != privateMark || !s.begins()
	}
	body := strings.TrimRight(s.text.String(), " )\"”'")
	s.question = strings.HasSuffix(body, "?") || strings.HasSuffix(body, "？") || asking.MatchString(s.plain)
	return s, true
}

// privateMark stands for what the user marked as private.
const privateMark = "[REDACTED:private]"

var (
	anew = lazyregexp.New(`^(?:and |also |but |so |please )*(?:from now on|from here on|going forward|remember that|remember:|never|always)\b[,:]? (\pL+)`)
	back = lazyregexp.New(`\b(?:it|its|this|them|they|these|those|he|she|her|his)\b`)
)

// begins reports whether a sentence is whole although something private comes before it: it begins with what makes a
// rule, goes on with neither the verb of a statement about the private part nor another word for it.
func (s sentence) begins() bool {
	at := anew.FindStringSubmatch(s.plain)
	if at == nil || s.says(back) {
		return false
	}
	switch at[1] {
	case "is", "are", "was", "were", "be", "must", "should", "shall", "may", "can", "will", "would", "has", "have", "had",
		"needs", "does", "works", "and", "or", "as", "in", "on", "for", "to", "with":
		return false
	}
	return true
}

// mask blanks what is not the speaker's own words, byte for byte. It joins lines that were only broken because they
// were long.
func mask(s string) string {
	b := []byte(s)
	for _, at := range speaker.Pasted(s) {
		blank(b, at.From, at.To)
	}
	for _, at := range redacted.FindAllStringIndex(s, -1) { // not the speaker's words
		blank(b, at[0], at[1])
	}
	unwrap(b)
	return string(b)
}

func blank(b []byte, from, to int) {
	for i := from; i < to; i++ {
		if b[i] != '\n' {
			b[i] = ' '
		}
	}
}

// unwrap joins a long line with the next one if that continues in lower case.
func unwrap(b []byte) {
	const long = 60
	start := 0
	for i, c := range b {
		if c != '\n' {
			continue
		}
		if i-start >= long && i+1 < len(b) && goesOn(b[start:i], b[i+1:]) {
			b[i] = ' '
		}
		start = i + 1
	}
}

func goesOn(line, rest []byte) bool {
	r, _ := utf8.DecodeRune(rest)
	last, _ := utf8.DecodeLastRune(bytes.TrimRight(line, " \r"))
	return unicode.IsLower(r) && !strings.ContainsRune(".!?:;", last)
}

// sentenceEnd returns where the sentence that begins at i ends: after a full stop followed by a space, unless the full
// stop belongs to an abbreviation or a number.
func sentenceEnd(line string, i int) int {
	code := false
	for j := i; j < len(line); j++ {
		switch line[j] {
		case '`':
			code = !code
		case '.', '!', '?':
			if !code && endsHere(line, i, j) {
				return j + 1
			}
		default:
			if strings.HasPrefix(line[j:], "…") {
				if next := j + len("…"); next < len(line) && line[next] == ' ' {
					return next
				}
			}
		}
	}
	return len(line)
}

func endsHere(line string, from, j int) bool {
	if j+1 < len(line) && line[j+1] != ' ' && line[j+1] != '\n' && line[j+1] != '\t' && line[j+1] != '\r' {
		return false
	}
	if line[j] != '.' {
		return true
	}
	word := line[from:j]
	word = word[strings.LastIndexAny(word, " (")+1:]
	switch strings.ToLower(word) {
	case "e.g", "i.e", "z.b", "d.h", "ca", "etc", "vs", "cf", "p.ex", "approx", "bzw", "resp", "incl", "no", "nr", "p",
		"ej", "dr", "mr", "mrs", "prof":
		return j == len(line)-1
	}
	r, _ := utf8.DecodeLastRuneInString(word)
	return !(len(word) == 1 && unicode.IsDigit(r))
}
