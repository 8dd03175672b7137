package store

import (
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math/bits"
	"strings"

	"keepmum/privacy"
	"keepmum/sorting"
)

// textGrave prefixes the tombstone of a text that was removed everywhere. Like the others it is a keyed hash. It also
// carries, encrypted with the key, the length of the text and a rolling hash of it, so that the text is found in a
// transcript that is read again.
const textGrave = "text:"

// textGraves lists them in the order in which the texts were removed.
const textGraves = `SELECT mac FROM tombstones WHERE mac GLOB 'text:*' ORDER BY at, mac`

// lost is what is known about a forgotten text.
type lost struct {
	length int    // length of its canonical form in bytes
	rolled uint64 // rolling hash of that form
	mac    string // keyed hash of that form
}

// ForgottenTexts finds, in new texts, what was removed everywhere. The zero value finds nothing.
type ForgottenTexts struct {
	db    *DB
	texts []lost
}

// ForgottenTexts returns the texts that were removed with [DB.Replace].
func (db *DB) ForgottenTexts(ctx context.Context) (ForgottenTexts, error) {
	var macs []string
	if err := db.read.SelectContext(ctx, &macs, textGraves); err != nil {
		return ForgottenTexts{}, fmt.Errorf("look for what was forgotten: %w", translate(err))
	}
	return db.forgottenTexts(macs), nil
}

func (db *DB) forgottenTexts(macs []string) ForgottenTexts {
	out := ForgottenTexts{db: db}
	for _, m := range macs {
		mac, covered, _ := strings.Cut(strings.TrimPrefix(m, textGrave), ":")
		raw, err := hex.DecodeString(covered)
		if err != nil || len(raw) != coveredBytes {
			continue // not one of ours
		}
		plain := db.cover(mac, raw)
		l := lost{int(binary.BigEndian.Uint32(plain)), binary.BigEndian.Uint64(plain[4:]), mac}
		if l.length < minForgotten || l.length > maxForgotten {
			continue // written with another key, or damaged
		}
		out.texts = append(out.texts, l)
	}
	return out
}

const coveredBytes = 12

// cover encrypts and decrypts the data next to a hash: without the key, not even the length of a text can be seen.
func (db *DB) cover(mac string, data []byte) []byte {
	pad := hmac.New(sha256.New, db.key)
	fmt.Fprintf(pad, "text cover:%s", mac)
	out := make([]byte, len(data))
	for i, b := range pad.Sum(nil)[:len(data)] {
		out[i] = data[i] ^ b
	}
	return out
}

// buryTexts writes the tombstones of a text in each of its forms.
func (s *txState) buryTexts(forms []string) error {
	for _, form := range forms {
		text, _ := canonical(form)
		if len(text) < minForgotten { // most of it was white space: what remains would match too much
			continue
		}
		mac := s.mac("text", string(text))
		plain := make([]byte, coveredBytes)
		binary.BigEndian.PutUint32(plain, uint32(len(text)))
		binary.BigEndian.PutUint64(plain[4:], s.db.roller(len(text)).sum(text))
		if err := s.bury(textGrave+mac+":"+hex.EncodeToString(s.db.cover(mac, plain)), ever); err != nil {
			return err
		}
	}
	s.texts = nil
	return nil
}

// forgottenTexts returns the forgotten texts as cached by the transaction.
func (s *txState) forgottenTexts() (ForgottenTexts, error) {
	if !s.anyForgotten {
		return ForgottenTexts{}, nil
	}
	if s.texts == nil {
		var macs []string
		if err := s.list(&macs, textGraves); err != nil {
			return ForgottenTexts{}, err
		}
		texts := s.db.forgottenTexts(macs)
		s.texts = &texts
	}
	return *s.texts, nil
}

// withoutTexts removes the forgotten texts from texts that are about to be stored outside a document.
func (s *txState) withoutTexts(texts ...*privacy.Clean) error {
	gone, err := s.forgottenTexts()
	for _, t := range texts {
		*t = gone.Without(*t)
	}
	return err
}

// Without removes the forgotten texts from a text.
func (f ForgottenTexts) Without(c privacy.Clean) privacy.Clean {
	spans := f.find(c.String())
	if len(spans) == 0 {
		return c
	}
	var parts []privacy.Clean
	at := 0
	for _, s := range spans {
		parts = append(parts, c.Slice(at, s[0]), privacy.Const(forgottenMark))
		at = s[1]
	}
	return privacy.Join("", append(parts, c.Slice(at, len(c.String())))...)
}

// without does the same for a text of a row.
func (f ForgottenTexts) without(text string) string {
	var b strings.Builder
	at := 0
	for _, s := range f.find(text) {
		b.WriteString(text[at:s[0]] + forgottenMark)
		at = s[1]
	}
	return b.String() + text[at:]
}

// find returns where the forgotten texts are, in order and without overlaps.
func (f ForgottenTexts) find(text string) (spans [][2]int) {
	if len(f.texts) == 0 || text == "" {
		return nil
	}
	plain, at := canonical(text)
	for _, l := range f.texts {
		if l.length > len(plain) {
			continue
		}
		r := f.db.roller(l.length)
		for i := range r.matches(plain, l.rolled) {
			if f.db.mac("text", string(plain[i:i+l.length])) == l.mac {
				spans = append(spans, [2]int{at[i], at[i+l.length]})
			}
		}
	}
	sorting.Stable(spans, func(a, b [2]int) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(b[1], a[1])) })
	kept := spans[:0]
	for _, s := range spans {
		if n := len(kept); n > 0 && s[0] < kept[n-1][1] {
			kept[n-1][1] = max(kept[n-1][1], s[1])
			continue
		}
		kept = append(kept, s)
	}
	return kept
}

// canonical returns the form of a text that is compared: ASCII letters in lower case, one space for any white space,
// none at the ends. at is the original position of each byte.
func canonical(text string) (plain []byte, at []int) {
	gap := -1 // where white space began
	for i := range len(text) {
		c := text[i]
		if c == ' ' || c == '\t' || c == '\n' || c == '\r' {
			if gap < 0 {
				gap = i
			}
			continue
		}
		if gap >= 0 && len(plain) > 0 {
			plain, at = append(plain, ' '), append(at, gap)
		}
		gap = -1
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		plain, at = append(plain, c), append(at, i)
	}
	return plain, append(at, len(strings.TrimRight(text, " \t\n\r")))
}

// prime is the modulus of the rolling hash, 2^61-1.
const prime = 1<<61 - 1

// roller hashes every piece of a given length in one pass: a polynomial evaluated at a point that depends on the key.
type roller struct {
	length    int
	point     uint64
	leadPower uint64 // factor of the first byte of a piece
}

func (db *DB) roller(length int) roller {
	h := hmac.New(sha256.New, db.key)
	h.Write([]byte("text point"))
	r := roller{length: length, point: binary.BigEndian.Uint64(h.Sum(nil)) % prime}
	r.leadPower = power(r.point, length-1)
	return r
}

// power returns a to the nth power, by squaring.
func power(a uint64, n int) uint64 {
	out := uint64(1)
	for ; n > 0; n >>= 1 {
		if n&1 == 1 {
			out = times(out, a)
		}
		a = times(a, a)
	}
	return out
}

func times(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	return reduced(lo&prime + (lo>>61 | hi<<3))
}

// reduced reduces a number below twice the prime.
func reduced(h uint64) uint64 {
	if h >= prime {
		return h - prime
	}
	return h
}

func (r roller) add(h uint64, c byte) uint64 { return reduced(times(h, r.point) + uint64(c)) }

func (r roller) sum(text []byte) (h uint64) {
	for _, c := range text {
		h = r.add(h, c)
	}
	return h
}

// matches yields the positions of the pieces with a hash.
func (r roller) matches(text []byte, want uint64) func(func(int) bool) {
	return func(yield func(int) bool) {
		if r.length < 1 || len(text) < r.length {
			return
		}
		h := r.sum(text[:r.length])
		for i := 0; ; i++ {
			if h == want && !yield(i) || i+r.length >= len(text) {
				return
			}
			h = r.add(reduced(h+prime-times(uint64(text[i]), r.leadPower)), text[i+r.length])
		}
	}
}
