package known

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"

	"keepmum/privacy/scan"
)

// A mark is what a [ValueSet] stores of a value, as bytes that may be written to disk: the keyed hash of the value and,
// encrypted with another hash, its length and the fingerprints of its ends. Without the key it reveals nothing.
const (
	macBytes   = 16
	coverBytes = 8
)

// Flags of a mark, stored above the length of the value.
const (
	markWhole = 1 << 30
	markCoded = 1 << 31
)

// NewKeyedSet returns a set whose marks are the same in every process with that key.
func NewKeyedSet(key []byte) *ValueSet {
	return NewValueSet(derived(key, "values"), binary.LittleEndian.Uint64(derived(key, "fingerprints")))
}

func derived(key []byte, what string) []byte {
	h := hmac.New(sha256.New, key)
	h.Write([]byte("keepmum verdicts: " + what))
	return h.Sum(nil)
}

// Mark returns the mark of a value without remembering it, nil if the value is too short or too long to be remembered.
func (s *ValueSet) Mark(f Form) []byte {
	if len(f.Text) < scan.MinSecret || len(f.Text) > maxRemembered {
		return nil
	}
	r, start := s.remember(f)
	length := uint32(r.length)
	if r.whole {
		length |= markWhole
	}
	if r.coded {
		length |= markCoded
	}
	cover := s.cover(r.mac[:])
	out := append(make([]byte, 0, macBytes+coverBytes), r.mac[:]...)
	out = binary.LittleEndian.AppendUint32(out, length^binary.LittleEndian.Uint32(cover))
	out = binary.LittleEndian.AppendUint16(out, start^binary.LittleEndian.Uint16(cover[4:]))
	return binary.LittleEndian.AppendUint16(out, r.end^binary.LittleEndian.Uint16(cover[6:]))
}

func (s *ValueSet) cover(mac []byte) []byte {
	return derived(s.key, "cover "+string(mac))
}

// AddMark remembers the value of a mark; false if the bytes are not a mark.
func (s *ValueSet) AddMark(mark []byte) bool {
	if len(mark) != macBytes+coverBytes {
		return false
	}
	cover := s.cover(mark[:macBytes])
	length := binary.LittleEndian.Uint32(mark[macBytes:]) ^ binary.LittleEndian.Uint32(cover)
	start := binary.LittleEndian.Uint16(mark[macBytes+4:]) ^ binary.LittleEndian.Uint16(cover[4:])
	end := binary.LittleEndian.Uint16(mark[macBytes+6:]) ^ binary.LittleEndian.Uint16(cover[6:])
	r := remembered{length: int(length &^ (markWhole | markCoded)), end: end, whole: length&markWhole != 0,
		coded: length&markCoded != 0}
	copy(r.mac[:], mark)
	if r.length < scan.MinSecret || r.length > maxRemembered {
		return false
	}
	s.put(start, r)
	return true
}
