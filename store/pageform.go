package store

import "encoding/binary"

// pageHead is the size of a page's header: the offsets of its first row and of its list of terms.
const pageHead = 4

// sizeOf returns the length of a page's content. The offsets of its terms follow it.
func sizeOf(block []byte) int {
	if len(block) < pageHead {
		return 0
	}
	return int(binary.BigEndian.Uint16(block[2:]))
}

// firstTerm returns the offset of the first term of a page, or the end of its content.
func firstTerm(block []byte) int {
	size := sizeOf(block)
	if size >= len(block) {
		return size
	}
	return int((&decoder{b: block, at: size}).varint())
}

// find returns where the rows of a word are on a page, or 0 if the word is not on it. It returns false for a page of
// another format.
//
//nolint:gocyclo // one pass over one page; its steps share the place they have reached
func find(block []byte, word string) (from, to int, ok bool) {
	size := sizeOf(block)
	if size < pageHead || size > len(block) {
		return 0, 0, false
	}
	places := &decoder{b: block, at: size}
	shared := 0 // bytes that the terms so far, all lower, have in common with the word
	for at := 0; places.at < len(block); {
		first := at == 0
		at += int(places.varint())
		d := &decoder{b: block[:size], at: at}
		keep := 0 // bytes shared with the previous term
		if !first {
			keep = int(d.varint())
		}
		n := int(d.varint())
		if d.bad || keep < 0 || n < 0 || n > size-d.at {
			return 0, 0, false
		}
		if keep > shared {
			continue // it differs from the word at the same byte as the previous term
		}
		if keep < shared {
			return 0, 0, true
		}
		rest := block[d.at : d.at+n]
		same := commonPrefix(rest, word[shared:])
		shared += same
		switch {
		case shared == len(word) && same == n:
			from, to = d.at+n, size
			if places.at < len(block) {
				to = at + int(places.varint())
			}
			return from, to, from <= to && to <= size
		case shared == len(word), same < n && rest[same] > word[shared]:
			return 0, 0, true
		}
	}
	return 0, 0, true
}

func commonPrefix(a []byte, b string) (n int) {
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// decode appends the rows of a list: the first one, then the difference from each row to the next. It returns false for
// a list with an entry for a deleted row.
func decode(out []int64, list []byte) ([]int64, bool) {
	d := &decoder{b: list}
	row := int64(0)
	for d.at < len(list) {
		row += d.varint()
		if d.at < len(list) && list[d.at] == 0 { // the row was deleted,
			if d.at++; d.at == len(list) || list[d.at] != 0 {
				return out, false
			}
			d.at++ // and added again
		}
		out = append(out, row)
	}
	return out, !d.bad
}

// decoder reads numbers with seven bits per byte, high bits first; a ninth byte has eight.
type decoder struct {
	b   []byte
	at  int
	bad bool // a number continued past the end
}

func (d *decoder) varint() int64 {
	if at := d.at; uint(at) < uint(len(d.b)) && d.b[at] < 0x80 { // most are small
		d.at++
		return int64(d.b[at])
	}
	return d.long()
}

func (d *decoder) long() int64 {
	n := uint64(0)
	for i := range 9 {
		if uint(d.at) >= uint(len(d.b)) {
			d.bad = true
			return 0
		}
		c := d.b[d.at]
		d.at++
		if i == 8 {
			return int64(n<<8 | uint64(c))
		}
		n = n<<7 | uint64(c&0x7F)
		if c < 0x80 {
			break
		}
	}
	return int64(n)
}
