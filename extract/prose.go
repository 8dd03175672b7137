package extract

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"keepmum/lazyregexp"
	"keepmum/privacy"
)

// sentence is one sentence of a message, as it was typed.
type sentence struct {
	text     privacy.Clean
	words    []token // places in text
	hits     []hit
	cues     cues
	question bool
	item     bool // begins a line of a list
	para     int  // number of its paragraph
}

// said is a message that was read sentence by sentence. Code, quotations,
// logs and what was pasted are left out.
type said struct {
	list []sentence
	cues cues // of all sentences that are no questions
	size int  // words in them
	raw  int  // bytes of the message before anything was left out
}

const (
	maxMessage   = 20_000 // bytes of a message that are read; nobody types more
	maxSentences = 200
)

var (
	fences   = lazyregexp.New("(?s)```.*?(?:```|$)|~~~.*?(?:~~~|$)")
	quotes   = lazyregexp.New(`"[^"\n]{3,400}"|“[^”\n]{3,400}”|«[^»\n]{3,400}»|„[^“”\n]{3,400}[“”]`)
	logLine  = lazyregexp.New(`^\s*(?:>|\||\$ |#\s|\+\+\+|---|@@|at [\w.$]+\(|\[?\d{4}-\d\d-\d\d|\[?\d\d:\d\d:\d\d|[EIWD] \(\d|(?:ERROR|WARN|WARNING|INFO|DEBUG|TRACE|FATAL|FAIL|PASS|Traceback|panic:|goroutine|Caused by|File ")(?:\W|$)|ok\s{2,})`)
	redacted = lazyregexp.New(`\[REDACTED:[^\]\s]*\]`)
	listItem = lazyregexp.New(`^\s*(?:[-*•]|\(?\d{1,2}[.):]|\(?[a-hA-H]\)|[A-H][.:])\s+`)
)

// read takes a message apart.
func (h *Heuristic) read(text privacy.Clean) said {
	text = text.Cut(maxMessage)
	flat := mask(text.String())
	out := said{raw: len(text.String())}
	para := 0
	offset := 0
	for line := range strings.Lines(flat) {
		if strings.TrimSpace(line) == "" {
			para++
		}
		h.readLine(&out, text, line, offset, para)
		offset += len(line)
		if len(out.list) >= maxSentences || h.pasteBegins(out, line) {
			break
		}
	}
	for _, s := range out.list {
		if !s.question {
			out.cues.add(s.cues)
			out.size += len(s.words)
		}
	}
	return out
}

// pasteBegins reports that what follows is somebody else's text: "the manual
// says:" at the end of a line.
func (h *Heuristic) pasteBegins(out said, line string) bool {
	if !strings.HasSuffix(strings.TrimSpace(line), ":") || len(out.list) == 0 {
		return false
	}
	return out.list[len(out.list)-1].cues.has(intro)
}

func (h *Heuristic) readLine(out *said, text privacy.Clean, line string, offset, para int) {
	at := 0
	item := false
	if m := listItem.FindStringIndex(line[:min(len(line), 12)]); m != nil && strings.Contains(strings.TrimSpace(text.String()), "\n") { // one line is no list
		at, item = m[1], true
	}
	for at < len(line) && len(out.list) < maxSentences {
		end := sentenceEnd(line, at)
		if s, ok := h.sentence(text, offset+at, offset+end, line[at:end]); ok {
			s.item, s.para = item, para
			item = false
			out.list = append(out.list, s)
		}
		at = end
	}
}

// sentence reads one sentence; masked is the same bytes without quotations.
func (h *Heuristic) sentence(text privacy.Clean, from, to int, masked string) (sentence, bool) {
	whole := text.Slice(from, to)
	left := len(whole.String()) - len(strings.TrimLeft(whole.String(), " \t\r\n"))
	right := len(strings.TrimRight(whole.String(), " \t\r\n"))
	if left >= right || strings.TrimSpace(masked) == "" {
		return sentence{}, false
	}
	s := sentence{text: whole.Slice(left, right), words: tokenize(masked[left:right])}
	if len(s.words) == 0 {
		return s, false
	}
	s.hits = h.lexicon.find(s.words)
	s.weigh()
	return s, true
}

// weigh counts the cues, and takes back those that mean something else here.
func (s *sentence) weigh() {
	for _, x := range s.hits {
		if x.class == local && s.within(x, house) { // "in this repo" holds for longer than "in this"
			continue
		}
		if s.cues[x.class] < 250 {
			s.cues[x.class]++
		}
	}
	for i := 1; i < len(s.words); i++ { // "…, so nothing may stay there"
		if s.words[i].lower == "so" && strings.Contains(s.text.String()[s.words[i-1].end:s.words[i].start], ",") {
			s.cues[reason]++
		}
	}
	if s.cues.has(self) { // "I always forget", "I don't remember"
		s.cues[always], s.cues[told], s.cues[rule] = 0, 0, 0
	}
	if s.cues.has(beyond) { // "not just this one"
		s.cues[local], s.cues[once] = 0, 0
		s.cues[rule]++
	}
	body := strings.TrimRight(s.text.String(), " )\"”'")
	s.question = strings.HasSuffix(body, "?") || s.asks()
}

// within reports whether a longer phrase of class k holds x.
func (s *sentence) within(x hit, k class) bool {
	for _, y := range s.hits {
		if y.class == k && y.from <= x.from && x.to <= y.to {
			return true
		}
	}
	return false
}

// asks recognises questions of people who type no question mark.
func (s *sentence) asks() bool {
	const short = 14 // a longer sentence that begins with "what" is none
	if strings.Contains(s.text.String(), ": ") {
		return false
	}
	for _, x := range s.hits {
		if x.class == question && x.from == 0 && len(s.words) <= short {
			return !s.cues.has(told, agreed)
		}
	}
	return false
}

// mask blanks what is not the speaker's own words, byte for byte.
func mask(s string) string {
	b := []byte(s)
	if strings.Contains(s, "```") || strings.Contains(s, "~~~") {
		for _, at := range fences.FindAllStringIndex(s, -1) {
			blank(b, at[0], at[1])
		}
	}
	if strings.ContainsAny(s, `"“«„`) {
		for _, at := range quotes.FindAllStringIndex(string(b), -1) {
			if strings.Count(string(b[at[0]:at[1]]), " ") > 0 { // a quoted word is often meant
				blank(b, at[0], at[1])
			}
		}
	}
	for _, at := range redacted.FindAllStringIndex(s, -1) { // nobody said that
		blank(b, at[0], at[1])
	}
	offset := 0
	for line := range strings.Lines(string(b)) {
		if mayBeLog(line) && logLine.MatchString(line) || !prosaic(line) {
			blank(b, offset, offset+len(line))
		}
		offset += len(line)
	}
	return string(b)
}

// mayBeLog looks at the first letter: most lines begin with one that no
// log line begins with.
func mayBeLog(line string) bool {
	line = strings.TrimLeft(line, " \t")
	return line != "" && (strings.IndexByte(">|$#+-@[EIWDTFPCpgo", line[0]) >= 0 || line[0] >= '0' && line[0] <= '9' || strings.HasPrefix(line, "at "))
}

func blank(b []byte, from, to int) {
	for i := from; i < to; i++ {
		if b[i] != '\n' {
			b[i] = ' '
		}
	}
}

// prosaic reports whether a long line is made of words.
func prosaic(line string) bool {
	const long = 40
	if len(line) < long {
		return true
	}
	letters, all := 0, 0
	for _, r := range line {
		all++
		if unicode.IsLetter(r) || r == ' ' {
			letters++
		}
	}
	return letters*10 >= all*6
}

// sentenceEnd is where the sentence that begins at i ends: after a full stop
// that a space follows, unless it belongs to an abbreviation or a number.
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
	case "e.g", "i.e", "z.b", "d.h", "ca", "etc", "vs", "cf", "p.ex", "approx", "bzw", "resp", "incl", "no", "nr", "p", "ej":
		return j == len(line)-1
	}
	r, _ := utf8.DecodeLastRuneInString(word)
	return !(len(word) == 1 && unicode.IsDigit(r))
}
