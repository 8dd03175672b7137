package privacy

import (
	"crypto/hmac"
	"crypto/sha256"
	"errors"
	"hash"
	"slices"
)

// errTooMany says that a text has so many places that resemble a remembered
// value that it was not searched to its end.
var errTooMany = errors.New("too many candidates")

const (
	anchorLen = minSecret // bytes whose fingerprint finds a candidate
	maxHashes = 20000     // HMACs computed for one text
	maxValues = 4096      // forms of values in one set; later ones are not remembered

	coarseBits = 13 // of a fingerprint: a table of bytes is read faster than a bit set
)

// valueSet finds remembered values in a text without holding them: a value is
// kept as its length, its HMAC, and 16-bit fingerprints of its first and last
// six bytes under a random multiplier.
//
// A text is searched in one pass. At each byte the fingerprint of the next six
// is looked up in a table and a bit set, which nearly always say no; where a remembered
// value could begin, the fingerprint of its end is compared, and only then the
// HMAC of the stretch decides. So the pass is linear, values may contain any
// bytes, and nothing is said about a value that an HMAC does not say, but for
// the 32 bits of its fingerprints, which never leave memory.
type valueSet struct {
	key     []byte
	mul     uint64
	coarse  [1 << coarseBits]uint8 // 1 for the first bits of the fingerprints of beginnings
	seeds   [1024]uint64           // bit set over these fingerprints
	byStart map[uint16][]remembered
	count   int
}

type remembered struct {
	length int
	end    uint16
	mac    [16]byte
	whole  bool // too short to be taken out of the middle of a word
	coded  bool // in base64: the characters beside it hold a rest of it
}

func newValueSet(key []byte, mul uint64) *valueSet {
	return &valueSet{key: key, mul: mul | 1, byStart: map[uint16][]remembered{}}
}

// edge packs the six bytes before end.
func edge(text string, end int) uint64 {
	var h uint64
	for i := end - anchorLen; i < end; i++ {
		h = h<<8 | uint64(text[i])
	}
	return h
}

func (s *valueSet) fingerprint(packed uint64) uint16 { return uint16((packed << 16) * s.mul >> 48) }

// add remembers a value.
func (s *valueSet) add(f form) {
	v := f.text
	if len(v) < minSecret || len(v) > 4096 || s.count >= maxValues {
		return
	}
	r := remembered{length: len(v), end: s.fingerprint(edge(v, len(v))), whole: !f.coded && wordOnly(v), coded: f.coded}
	s.sum(hmac.New(sha256.New, s.key), v, &r.mac)
	start := s.fingerprint(edge(v, anchorLen))
	if slices.Contains(s.byStart[start], r) {
		return
	}
	s.coarse[start>>(16-coarseBits)] = 1
	s.seeds[start>>6] |= 1 << (start & 63)
	s.byStart[start] = append(s.byStart[start], r)
	s.count++
}

func (s *valueSet) sum(h hash.Hash, v string, out *[16]byte) {
	h.Reset()
	h.Write([]byte(v))
	copy(out[:], h.Sum(nil))
}

// find returns the places of remembered values in a text, as [from, to).
func (s *valueSet) find(text string) ([][2]int, error) {
	if s == nil || s.count == 0 || len(text) < minSecret {
		return nil, nil
	}
	search := valueSearch{set: s, text: text}
	packed, coarse, mul := edge(text, anchorLen)>>8, &s.coarse, s.mul
	for end := anchorLen - 1; end < len(text); end++ {
		packed = packed<<8 | uint64(text[end])
		hash := (packed << 16) * mul
		if coarse[hash>>(64-coarseBits)] == 0 {
			continue
		}
		f := uint16(hash >> 48)
		if s.seeds[f>>6]&(1<<(f&63)) == 0 {
			continue
		}
		if err := search.at(end+1-anchorLen, f); err != nil {
			return nil, err
		}
	}
	return search.found, nil
}

// valueSearch is one pass of a [valueSet] over a text.
type valueSearch struct {
	set    *valueSet
	text   string
	h      hash.Hash
	hashes int
	found  [][2]int
}

// at looks for values that begin at i.
func (q *valueSearch) at(i int, start uint16) error {
	if last := len(q.found) - 1; last >= 0 && i < q.found[last][1] && q.hashes > maxHashes/2 {
		return nil
	}
	for _, r := range q.set.byStart[start] {
		end := i + r.length
		if end > len(q.text) || q.set.fingerprint(edge(q.text, end)) != r.end {
			continue
		}
		if r.whole && !standsAlone(q.text, i, end) {
			continue
		}
		if q.hashes++; q.hashes > maxHashes {
			return errTooMany
		}
		if q.same(q.text[i:end], r) {
			q.found = append(q.found, q.place(i, end, r))
		}
	}
	return nil
}

func (q *valueSearch) place(from, to int, r remembered) [2]int {
	if r.coded {
		for n := 0; n < 3 && from > 0 && isBase64(q.text[from-1]); n++ {
			from--
		}
		for n := 0; n < 3 && to < len(q.text) && isBase64(q.text[to]); n++ {
			to++
		}
	}
	return [2]int{from, to}
}

func isBase64(c byte) bool {
	return isWordByte(c) || c == '+' || c == '/' || c == '-' || c == '_'
}

func (q *valueSearch) same(v string, r remembered) bool {
	if q.h == nil {
		q.h = hmac.New(sha256.New, q.set.key)
	}
	var mac [16]byte
	q.set.sum(q.h, v, &mac)
	return mac == r.mac
}

// standsAlone reports whether no letter or digit stands beside a stretch. An
// option's letter may be glued to its value (-phunter2).
func standsAlone(text string, from, to int) bool {
	if to < len(text) && isWordByte(text[to]) {
		return false
	}
	if from == 0 || !isWordByte(text[from-1]) {
		return true
	}
	return from >= 2 && text[from-2] == '-'
}

func isWordByte(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// wordOnly reports whether a value is looked for as a word alone: it is short,
// or so like a name that longer names may begin or end with it.
func wordOnly(v string) bool {
	const short, longest = 8, 16
	return len(v) < short || len(v) <= longest && (typedByHand(v) || hostLike(v) && countKinds(v).lower >= 3)
}
