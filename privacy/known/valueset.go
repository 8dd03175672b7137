package known

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"hash"
	"slices"
	"strings"

	"keepmum/privacy/judge"
	"keepmum/privacy/scan"
	"keepmum/privacy/value"
)

// errTooMany means that the search of a text was stopped because too many places resemble a remembered value.
var errTooMany = errors.New("too many candidates")

// ValueSet finds remembered values in a text without storing them: of a value it keeps the length, an HMAC, and 16-bit
// fingerprints of the first and last six bytes under a random multiplier.
//
// A text is searched in one pass. At each byte, the fingerprint of the next six bytes is looked up in a table and a bit
// set, which nearly always rule it out. If a remembered value could start there, the fingerprint of its end is
// compared, and only then the HMAC decides. So the pass is linear, values may contain any bytes, and nothing is
// revealed about a value beyond its HMAC and the 32 bits of its fingerprints, which leave memory only encrypted (see
// [ValueSet.Mark]).
type ValueSet struct {
	key     []byte
	mul     uint64
	coarse  [1 << scan.CoarseBits]uint8 // 1 for the first bits of the fingerprints of starts
	seeds   [1024]uint64                // bit set over these fingerprints
	byStart map[uint16][]remembered
	Count   int
}

// remembered is what a set stores of a value.
type remembered struct {
	length int
	end    uint16
	mac    [16]byte
	whole  bool // too short to be redacted in the middle of a word
	coded  bool // in base64, so the neighbouring characters contain a part of it
}

// NewValueSet returns a set that hashes values with a key, and takes their fingerprints with a multiplier.
func NewValueSet(key []byte, mul uint64) *ValueSet {
	return &ValueSet{key: key, mul: mul | 1, byStart: map[uint16][]remembered{}}
}

// NewRandomSet returns a set whose hashes are never compared with those of others.
func NewRandomSet() *ValueSet {
	key := make([]byte, 40)
	rand.Read(key)
	return NewValueSet(key[:32], binary.LittleEndian.Uint64(key[32:]))
}

func (s *ValueSet) fingerprint(packed uint64) uint16 { return uint16((packed << 16) * s.mul >> 48) }

// Add remembers a form of a value.
func (s *ValueSet) Add(f Form) {
	if len(f.Text) < scan.MinSecret || len(f.Text) > maxRemembered {
		return
	}
	r, start := s.remember(f)
	s.put(start, r)
}

// maxRemembered limits the length of a value, in bytes.
const maxRemembered = 4096

// remember returns what is stored of a value, and the fingerprint of its start.
func (s *ValueSet) remember(f Form) (r remembered, start uint16) {
	v := f.Text
	r = remembered{length: len(v), end: s.fingerprint(scan.Edge(v, len(v))), whole: !f.coded && WordOnly(v),
		coded: f.coded}
	s.sum(hmac.New(sha256.New, s.key), v, &r.mac)
	return r, s.fingerprint(scan.Edge(v, scan.AnchorLen))
}

func (s *ValueSet) put(start uint16, r remembered) {
	if s.Count >= scan.MaxValues {
		return
	}
	if slices.Contains(s.byStart[start], r) {
		return
	}
	s.coarse[start>>(16-scan.CoarseBits)] = 1
	s.seeds[start>>6] |= 1 << (start & 63)
	s.byStart[start] = append(s.byStart[start], r)
	s.Count++
}

func (s *ValueSet) sum(h hash.Hash, v string, out *[16]byte) {
	h.Reset()
	h.Write([]byte(v))
	copy(out[:], h.Sum(nil))
}

// Find returns the positions of remembered values in a text, as [from, to).
func (s *ValueSet) Find(text string) ([][2]int, error) {
	if s == nil || s.Count == 0 || len(text) < scan.MinSecret {
		return nil, nil
	}
	search := valueSearch{set: s, text: text}
	packed, coarse, mul := scan.Edge(text, scan.AnchorLen)>>8, &s.coarse, s.mul
	for end := scan.AnchorLen - 1; end < len(text); end++ {
		packed = packed<<8 | uint64(text[end])
		hash := (packed << 16) * mul
		if coarse[hash>>(64-scan.CoarseBits)] == 0 {
			continue
		}
		f := uint16(hash >> 48)
		if s.seeds[f>>6]&(1<<(f&63)) == 0 {
			continue
		}
		if err := search.at(end+1-scan.AnchorLen, f); err != nil {
			return nil, err
		}
	}
	return search.found, nil
}

// valueSearch is one pass of a [ValueSet] over a text.
type valueSearch struct {
	set    *ValueSet
	text   string
	h      hash.Hash
	hashes int
	found  [][2]int
}

// at searches for values that start at i.
func (q *valueSearch) at(i int, start uint16) error {
	if last := len(q.found) - 1; last >= 0 && i < q.found[last][1] && q.hashes > scan.MaxHashes/2 {
		return nil
	}
	for _, r := range q.set.byStart[start] {
		end := i + r.length
		if end > len(q.text) || q.set.fingerprint(scan.Edge(q.text, end)) != r.end {
			continue
		}
		if r.whole && !StandsAlone(q.text, i, end) {
			continue
		}
		if q.hashes++; q.hashes > scan.MaxHashes {
			return errTooMany
		}
		if q.same(q.text[i:end], r) {
			q.found = append(q.found, q.place(i, end, r))
		}
	}
	return nil
}

// place returns the position of a value, including the characters next to it that contain a part of it.
func (q *valueSearch) place(from, to int, r remembered) [2]int {
	if r.coded {
		for n := 0; n < 3 && from > 0 && value.IsBase64(q.text[from-1]); n++ {
			from--
		}
		for n := 0; n < 3 && to < len(q.text) && value.IsBase64(q.text[to]); n++ {
			to++
		}
	}
	return [2]int{from, to}
}

func (q *valueSearch) same(v string, r remembered) bool {
	if q.h == nil {
		q.h = hmac.New(sha256.New, q.set.key)
	}
	var mac [16]byte
	q.set.sum(q.h, v, &mac)
	return mac == r.mac
}

// StandsAlone reports whether no letter or digit is next to a part of a text. An option's letter may directly precede
// its value (-phunter2).
func StandsAlone(text string, from, to int) bool {
	if to < len(text) && value.Alphanumeric(text[to]) {
		return false
	}
	if from == 0 || !value.Alphanumeric(text[from-1]) {
		return true
	}
	return from >= 2 && text[from-2] == '-'
}

// WordOnly reports whether a value is only searched as a whole word, because it is short, or so much like a name that
// longer names may start or end with it.
func WordOnly(v string) bool {
	const short, longest = 8, 16
	return len(v) < short || len(v) <= longest && (value.LettersAndDigits(v) ||
		judge.HostLike(v) && value.CountKinds(v).Lower >= 3)
}

const (
	RuleExcluded      = "excluded"       // content that was withheld as a whole
	RuleExcludedValue = "excluded-value" // a secret in it
	ExcludedOutput    = "[EXCLUDED:output]"
)

// JumbledLetters reports whether a value is only letters, in an order that no combination of words has.
func JumbledLetters(v string) bool {
	if len(v) < 12 || len(v) > 128 || strings.Trim(v, value.Letters) != "" {
		return false
	}
	return value.CrossEntropy(v) >= value.DrawnPiece && !value.CamelWords(v) && !value.Repetitive(v)
}

// Phrase reports whether a value is a passphrase: so many words, none of them typical of messages or labels, that
// nobody writes them in a row by chance. A number may be behind them.
func Phrase(v string) bool {
	const least = 4
	if strings.Count(v, " ") >= least-1 {
		return judge.PassphraseWords(v)
	}
	if words := strings.TrimRight(v, "0123456789"); len(words) < len(v) {
		v = strings.TrimRight(words, "-_.")
	}
	return len(v) >= 16 && judge.JoinedPassphrase(v) &&
		len(strings.FieldsFunc(v, func(r rune) bool { return strings.ContainsRune("-_.", r) })) >= least
}
