package scan

import "keepmum/privacy/value"

// Cue is a word near which a secret may be.
type Cue struct {
	Start, End int
	Of         CueOf
}

// CueOf is what a cue is about.
type CueOf uint8

// What cues are about.
const (
	CuePassword CueOf = iota
	CueKey
	CueAccount
	CueCode
	CueThing
	CueEnter
	CueKinds // the number of kinds
)

// CueNames name these kinds in languages.txt and in features.
var CueNames = [CueKinds]string{"password", "key", "account", "code", "thing", "enter"}

// Judged is a candidate that the learned judge scored.
type Judged struct {
	Start, End int
	Score      float32
	Bar        float32  // the minimum score to be taken out
	RuledOut   bool     // by the first stage: there is no full score
	Taken      bool     // a reader takes it out
	Vetoed     bool     // it is public, whatever its score
	Name       string   // of its own, "" if it is only near a cue
	Class      string   // of a value with a name: the class that has a threshold
	Sure       bool     // its form decides, whatever the score
	Features   []string // the reasons, by name
	Weights    []float32
}

// Cued records a word as a cue, with the letters around it, unless it is part of a name in a program.
func Cued(s *Scanner, of CueOf, start, end int) {
	if s.again || of != CuePassword && goesOn(s.Text, end) {
		return
	}
	if n := len(s.Cues); n > 0 && s.Cues[n-1].Of == of && end <= s.Cues[n-1].End && end > s.Cues[n-1].Start {
		return
	}
	from, to := WordAround(s.Text, start, end, 32)
	if of == CuePassword || !named(s.Text, from, to) {
		s.Cues = append(s.Cues, Cue{Start: from, End: to, Of: of})
	}
}

// WordAround widens a part of a text by the letters next to it, by at most so many bytes on each side.
func WordAround(text string, start, end, longest int) (from, to int) {
	from, to = start, end
	for from > 0 && end-from < longest && WordByte(text, from-1) {
		from--
	}
	for to < len(text) && to-end < longest && WordByte(text, to) {
		to++
	}
	return from, to
}

// goesOn reports whether a word continues as a name in a program, or is called.
func goesOn(text string, end int) bool {
	return end < len(text) && (joins[text[end]] || text[end] == '(')
}

// named reports whether a word is part of a name in a program: user_id, getToken(.
func named(text string, from, to int) bool {
	if goesOn(text, to) {
		return true
	}
	if from > 0 && (joins[text[from-1]] || memberSign[text[from-1]]) {
		return true
	}
	for i := from + 1; i < to; i++ {
		if text[i] >= 'A' && text[i] <= 'Z' && text[i-1] >= 'a' && text[i-1] <= 'z' {
			return true
		}
	}
	return false
}

// joins are the bytes that join the words of names in programs.
var joins = [256]bool{'_': true, '$': true, '@': true, '0': true, '1': true, '2': true, '3': true, '4': true,
	'5': true, '6': true, '7': true, '8': true, '9': true}

// memberSign are the bytes before the name of a member: s.token, list[key].
var memberSign = [256]bool{'.': true, '[': true, '&': true, '>': true}

// LetterByte reports whether a byte belongs to a letter of any alphabet.
func LetterByte(c byte) bool { return value.Letter(c) || c >= 0x80 }

// WordByte reports whether the byte at an offset belongs to a letter of an alphabet whose words have blanks between
// them.
func WordByte(text string, at int) bool {
	c := text[at]
	return value.Letter(c) || c >= 0x80 && spaced(text, at)
}

// spaced reports whether the letter that contains a byte is of an alphabet whose words have blanks between them.
func spaced(text string, at int) bool {
	for at > 0 && text[at]&0xc0 == 0x80 {
		at--
	}
	return !Unspaced(text[at])
}

// Unspaced reports whether a letter with this first byte is from an alphabet whose words have no blanks between them.
func Unspaced(c byte) bool { return c >= 0xe3 && c <= 0xed }
