package pair

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"keepmum/privacy/judge"
	"keepmum/privacy/rules"
	"keepmum/privacy/scan"
	"keepmum/privacy/value"
)

// ForeignWords are words for a password in other languages, in letters that the automaton can contain.
var ForeignWords = sync.OnceValue(func() []string { return plainWords("password") })

// KeyWords are words for a key, in lower case.
func KeyWords() (out []string) {
	for _, w := range plainWords("key") {
		out = append(out, value.LowerASCII(w))
	}
	return out
}

func plainWords(kind string) (out []string) {
	for _, w := range rules.Languages()[kind] {
		if judge.ASCII(w) {
			out = append(out, w)
		}
	}
	return out
}

// KeyNamed records where such a word ends: in a text with other alphabets, a key may follow.
func KeyNamed(s *scan.Scanner, end int) {
	if n := len(s.KeyWords); end > 0 && (n == 0 || s.KeyWords[n-1] != end) {
		s.KeyWords = append(s.KeyWords, end)
	}
}

// spot is the place of a word that names a password or a key.
type spot struct {
	of        scan.CueOf
	nth       int // number among the words of its kind
	from, end int
}

// inOrder sorts spots by their words: what was judged after one of them is judged again after the next.
func inOrder(a, b spot) int {
	return cmp.Or(cmp.Compare(a.of, b.of), cmp.Compare(a.nth, b.nth), cmp.Compare(a.end, b.end))
}

// NonASCIICues searches a text that can contain other alphabets for cues in them, and takes out what the cues that name
// a secret lead to.
func NonASCIICues(s *scan.Scanner) {
	if s.Latin {
		return
	}
	spots := keySpots(s)
	eachNonASCIIWord(s.Text, func(w *distantWord, end int) {
		scan.Cued(s, w.of, end-len(w.head)-len(w.tail), end)
		if w.of <= scan.CueKey {
			spots = append(spots, spot{w.of, w.nth, end - len(w.head) - len(w.tail), end})
		}
	})
	slices.SortFunc(spots, inOrder)
	last := spot{nth: -1}
	for _, p := range spots {
		if p.of != last.of || p.nth != last.nth {
			s.Reached[scan.BySaid] = 0
		} else if p.from < last.end {
			continue
		}
		if last = p; p.of == scan.CueKey {
			KeyAfterWord(s, p.end)
		} else {
			OtherLanguages(s, p.end)
		}
	}
}

// keySpots returns the ASCII words for a key, as they are in languages.txt.
func keySpots(s *scan.Scanner) (out []spot) {
	if len(s.KeyWords) == 0 {
		return nil
	}
	for nth, w := range rules.Languages()["key"] {
		for _, end := range s.KeyWords {
			if strings.HasSuffix(s.Text[:end], w) {
				out = append(out, spot{scan.CueKey, nth, end - len(w), end})
			}
		}
	}
	return out
}

// distantWord is a cue, split before its first letter beyond ASCII.
type distantWord struct {
	head, tail string
	of         scan.CueOf
	nth        int // number among the words of its kind
}

// distantWords are the cues with letters beyond ASCII, by the first two bytes of their first such letter.
var distantWords = sync.OnceValue(func() *[1 << 12][]distantWord {
	out := new([1 << 12][]distantWord)
	words, of, nth := judge.NonASCIICues()
	for n, w := range words {
		at := strings.IndexFunc(w, func(r rune) bool { return r >= 0x80 })
		lead := leadOf(w[at:])
		out[lead] = append(out[lead], distantWord{w[:at], w[at:], of[n], nth[n]})
	}
	return out
})

// leadOf returns a number for the first two bytes of a letter.
func leadOf(letter string) int { return int(letter[0]&0x3f)<<6 | int(letter[1]&0x3f) }

// eachNonASCIIWord finds such words in a text.
func eachNonASCIIWord(text string, found func(w *distantWord, end int)) {
	words := distantWords()
	for at := nextLead(text, 0); at+1 < len(text); at = nextLead(text, at+1) {
		list := words[leadOf(text[at:])]
		for n := range list {
			w := &list[n]
			if strings.HasPrefix(text[at:], w.tail) && strings.HasSuffix(text[:at], w.head) {
				found(w, at+len(w.tail))
			}
		}
	}
}

// nextLead returns where the next letter beyond ASCII starts.
func nextLead(text string, at int) int {
	for at+8 <= len(text) && judge.ASCII(text[at:at+8]) {
		at += 8
	}
	for at < len(text) && text[at] < 0xc0 {
		at++
	}
	return at
}

// KeyAfterWord redacts a key in the same sentence after such a word.
func KeyAfterWord(s *scan.Scanner, from int) {
	const half = 16
	found, limit := false, min(len(s.Text), from+2*maxTold)
	for at := from; at < limit && s.Text[at] != '\n'; at++ {
		if !scan.TokenByte(s.Text[at]) || scan.TokenByte(s.Text[at-1]) {
			continue
		}
		if randomKeyAt(s, at) {
			found = true
		} else if end := value.GroupEnd(s.Text, at); found && end == at+half && s.Text[at-2] == ':' &&
			value.CountKinds(s.Text[at:end]).Hex && value.Mixed(s.Text[at:end]) {
			scan.Add(s, at, end, scan.RuleSecret) // the other half of a pair
		}
	}
}

const (
	maxTold = 64 // bytes after a word for a password in which a sentence says it
	maxSaid = 8  // words in that part
)

// passwordLater redacts a password that a sentence says some words after its name, if it can be nothing else: letters,
// digits and symbols, as no word is written.
func passwordLater(s *scan.Scanner, from int) {
	sentence(s, from, func(v string, _ int) bool {
		if i := strings.IndexAny(v, "/:"); i > 0 && judge.WordLike(v[:i]) && len(v)-i > 8 {
			v = v[i+1:] // an account and its password
		}
		return value.SymbolPassword(v) && judge.HasSymbol(v) && !value.Expression(v)
	})
}

// passwordHint reports whether a digit, and also a symbol, is close enough after a name for grouped and told to find
// something.
func passwordHint(s *scan.Scanner, from int) (numbered, both bool) {
	marked := false
	for i, limit := max(from, s.Reached[scan.BySaid]), min(len(s.Text), from+maxTold); i < limit; i++ {
		switch c := s.Text[i]; {
		case c == '\n':
			return numbered, false
		case c >= '0' && c <= '9':
			numbered = true
		case c == '!' || c >= '#' && c <= '&' || c == '*' || c == '+' || c == '?' || c == '^' || c == '~':
			marked = true
		}
		if numbered && marked {
			return true, true
		}
	}
	return numbered, false
}

// OtherLanguages does the same for other languages; after such a word even less certain values are a password.
func OtherLanguages(s *scan.Scanner, end int) {
	if strings.HasPrefix(s.Text[end:], "ña") {
		end += len("ña")
	}
	if word := value.LowerASCII(s.Text[max(0, end-4):end]); len(word) == 4 && word[1:] == "mdp" && word[0] >= 'a' &&
		word[0] <= 'z' {
		return
	}
	if settingNamed(s, end) {
		Name(s, end)
	}
	for n := 0; end < len(s.Text) && value.WordByte(s.Text[end]) && s.Text[end-1] < 0x80; n++ {
		if end++; n == 3 {
			return // part of a longer word
		}
	}
	scan.Once(s, end, end, func() { nameInOtherLanguage(s, end) })
}

// settingNamed reports whether the word that ends at an offset is part of the name of a setting: heslo=, "clave": ,
// CHIAVE_API = .
func settingNamed(s *scan.Scanner, end int) bool {
	from, to := judge.NameAt(s.Text, end)
	to = judge.SkipBlanks(s.Text, judge.SkipClosers(s.Text, to))
	if to >= len(s.Text) || s.Text[to] != ':' {
		return to < len(s.Text) && s.Text[to] == '='
	}
	before := strings.TrimRight(s.Text[value.LineStart(s.Text, from, 160):from], " \t-")
	return before == "" || strings.IndexByte("\"'{,(", before[len(before)-1]) >= 0
}

// KeyInOtherLanguage judges the name of a key in another language.
func KeyInOtherLanguage(s *scan.Scanner, end int) {
	if settingNamed(s, end) {
		Name(s, end)
	}
}

func nameInOtherLanguage(s *scan.Scanner, end int) {
	a, ok := Assigned(s.Text, end, end, min(judge.MaxJudged, reach(s)))
	s.Followed += a.End - a.Start
	if ok && a.Quoted && (a.Sep == judge.Colon || a.Sep == judge.Equals) {
		if v := s.Text[a.Start:a.End]; TypedPassword(v) {
			scan.Add(s, a.Start, a.End, scan.RulePassword)
		}
		return
	}

	SentencePassword(s, end, true)
	sentence(s, end, func(v string, nth int) bool {
		return value.SymbolPassword(v) && (judge.HasSymbol(v) || nth < 6) ||
			nth < 6 && value.AlnumPassword(v) && value.CountKinds(v).Upper+value.CountKinds(v).Lower > 3 ||
			nth <= 1 && s.Text[end] == ':' && (value.PunctuatedPassword(v) || value.WordWithSymbol(v)) ||
			nth < 7 && value.PunctuatedPassword(v) && value.CountKinds(v).Digits > 0 && value.CountKinds(v).Upper > 0 ||
			nth < 4 && (judge.Capitalised(v) || value.WordWithSymbol(v) ||
				value.PunctuatedPassword(v) && value.CountKinds(v).Digits > 0)
	})
}

// sentence judges the words of the rest of a line; letters of other alphabets
// end a word too.
func sentence(s *scan.Scanner, from int, secret func(v string, nth int) bool) {
	limit := min(len(s.Text), from+maxTold)
	at, nth := max(from, s.Reached[scan.BySaid]), 0
	for at < limit && at == from && (s.Text[at] == '$' ||
		s.Text[at] == '.' && at+1 < limit && value.Alphanumeric(s.Text[at+1])) {
		for at++; at < limit && s.Text[at] > ' '; at++ { // the name continues, as file names do
		}
	}
	for at < limit && nth < maxSaid {
		if c := s.Text[at]; c == '\n' || c == '\r' {
			return
		} else if c <= ' ' || c >= 0x80 {
			at++
			continue
		}
		to := at
		for to < len(s.Text) && to-at < 128 && s.Text[to] > ' ' && (s.Text[to] < 0x80 || accented(s.Text, to)) {
			to++
		}
		start, end := at, to
		for start < end && strings.IndexByte("\"'`*(:,=", s.Text[start]) >= 0 {
			start++
		}
		for end > start && (strings.IndexByte("\"'`),.;:?", s.Text[end-1]) >= 0 || s.Text[end-1] == '*' && start > at) {
			end--
		}
		if v := s.Text[start:end]; len(v) >= 8 && !value.PathLike(v) && !judge.TechnicalTerm(v) &&
			!strings.HasPrefix(s.Text[end:], "...") && secret(v, nth) {
			scan.Add(s, start, end, scan.RulePassword)
		}
		if nth++; at > from {
			s.Reached[scan.BySaid] = to
		}
		at = to
	}
}

// accented reports whether a byte belongs to a Latin letter with an accent.
func accented(text string, at int) bool {
	c := text[at]
	return c >= 0xC3 && c <= 0xC5 || c < 0xC0 && text[at-1] >= 0xC3 && text[at-1] <= 0xC5
}

// wordWithDigits redacts a word of a sentence about a password that has letters and digits as no word and no name has:
// "the password Winter2024x does not work".
func wordWithDigits(s *scan.Scanner, to int) {
	next, _, _ := strings.Cut(strings.TrimLeft(s.Text[to:min(len(s.Text), to+24)], " "), " ")
	if value.InList(strings.TrimRight(next, "\",.:"),
		" manager managers hash hashes hashing field fields policy policies reset resets rotation rotations expiry "+
			"strength length prompt form grant input store vault column table test tests ") {
		return
	}
	sentence(s, to, func(v string, nth int) bool {
		return nth < 7 && (value.LettersAndDigits(v) && !judge.HostLike(v) && !judge.TypeName(v) ||
			value.SymbolPassword(v) && judge.HasSymbol(v) && !value.Expression(v))
	})
}

// replyWords introduce the answer in a reply.
var replyWords = []string{"it's ", "its ", "it is ", "that's ", "es ist ", "ist ", "das ist ", "lautet ", "c'est ",
	"es ", "é ", "è ", "het is ", "sure, ", "sure: ", "yes, ", "ja, ", "klar, ", "oui, ", "sí, ", "sim, "}

// answeredBelow redacts the answer to a question that ends on the line above: one word, after the name of the speaker
// and "it's".
func answeredBelow(s *scan.Scanner, at int, line string) {
	for range 2 {
		low := value.LowerASCII(line)
		for _, w := range replyWords {
			if strings.HasPrefix(low, w) {
				at, line = at+len(w), line[len(w):]
				break
			}
		}
	}
	v := strings.TrimRight(line, " \t\r.\"'`")
	n := len(v)
	v = strings.TrimLeft(v, " \t\"'`")
	at += n - len(v)
	if v == "" || strings.ContainsAny(v, " \t?") || value.Placeholder(v) {
		return
	}
	if judge.CertainPassword(v) || value.PunctuatedPassword(v) || value.AlnumPassword(v) ||
		onlyWord(v) && !value.Integer(v) || len(v) >= 16 && value.Random(v) {
		scan.Add(s, at, at+len(v), scan.RulePassword)
	}
}
