package scan

// A step of the automaton must wait for the previous one, which leaves most of a processor idle. So a block of text is
// read in four ways at once. Each way starts far enough before its part that no word of the part can have begun
// earlier; the way to its left has already found what it finds before the part.
const (
	ways     = 4
	maxPart  = 4 << 10 // bytes of a way
	minBlock = 256     // a shorter text is read in one
)

// ending is a state that ends words, and the offset in its part where they end.
type ending struct {
	state uint16
	end   int32
}

// Endings are what the ways of a block found; they are reused for many texts.
type Endings [ways][]ending

// Each calls hit with every word and its end offset, in text order.
func (a *Automaton) Each(text string, found *Endings, hit func(words []int32, end int)) {
	at, seen := 0, 0 // what ends within seen bytes after at was already reported
	for len(text)-at >= minBlock {
		size := min(maxPart, (len(text)-at+(ways-1)*a.lead)/ways)
		part := size - a.lead
		a.block(text[at:at+ways*part+a.lead], part, found)
		for k := range found {
			for _, e := range found[k] {
				if int(e.end) > seen {
					hit(a.ends[e.state&^endsWord], at+int(e.end))
				}
			}
			found[k] = found[k][:0]
			at, seen = at+part, a.lead
		}
	}
	a.plain(text[at:], func(words []int32, end int) {
		if end > seen {
			hit(words, at+end)
		}
	})
}

// block reads text in ways that start part bytes apart.
func (a *Automaton) block(text string, part int, found *Endings) {
	size := len(text) - (ways-1)*part
	t0, t1, t2, t3 := text[:size], text[part:], text[2*part:], text[3*part:]
	t1, t2, t3 = t1[:len(t0)], t2[:len(t0)], t3[:len(t0)]
	var s0, s1, s2, s3 uint32
	next, class := a.next, &a.class
	for i := range len(t0) {
		s0 = uint32(next[(s0<<classBits|uint32(class[t0[i]]))&lastStep])
		s1 = uint32(next[(s1<<classBits|uint32(class[t1[i]]))&lastStep])
		s2 = uint32(next[(s2<<classBits|uint32(class[t2[i]]))&lastStep])
		s3 = uint32(next[(s3<<classBits|uint32(class[t3[i]]))&lastStep])
		if (s0|s1|s2|s3)&endsWord == 0 {
			continue
		}
		for k, s := range [ways]uint32{s0, s1, s2, s3} {
			if s&endsWord != 0 {
				found[k] = append(found[k], ending{uint16(s), int32(i + 1)})
			}
		}
	}
}

// plain reads a text byte by byte.
func (a *Automaton) plain(text string, hit func(words []int32, end int)) {
	state := uint32(0)
	for i := range len(text) {
		state = uint32(a.next[(state<<classBits|uint32(a.class[text[i]]))&lastStep])
		if state&endsWord != 0 {
			hit(a.ends[state&^endsWord], i+1)
		}
	}
}
