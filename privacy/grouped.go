package privacy

// grouped redacts a value that is written in groups of the same length, as
// people read keys to each other: "the key is 5a6b 3376 5439 714c".
func (s *scanner) grouped(to int) {
	const reach, most = 40, 32 // bytes to the first group; groups
	limit := min(len(s.text), to+reach)
	for at := max(to, s.groupedEnd); at < limit && s.text[at] != '\n'; at++ {
		if !alphanumeric(s.text[at]) || alphanumeric(s.text[at-1]) {
			continue
		}
		stop := groupEnd(s.text, at)
		size := stop - at
		if size < 3 || size > 8 || stop+size >= len(s.text) || s.text[stop] != ' ' && s.text[stop] != '-' || groupEnd(s.text, stop+1) != stop+1+size {
			at = stop - 1
			continue
		}
		var joined []byte
		end := at
		for n := 0; n < most && groupEnd(s.text, end) == end+size; n++ {
			joined = append(joined, s.text[end:end+size]...)
			end += size
			if end >= len(s.text) || s.text[end] != ' ' && s.text[end] != '-' {
				break
			}
			end++
		}
		if s.text[end-1] == ' ' || s.text[end-1] == '-' {
			end--
		}
		s.groupedEnd = end
		if groupedSecret(string(joined), size) {
			s.add(at, end, ruleSecret)
			return
		}
	}
}

// maxGroup is as far as a group is followed: longer ones are none.
const maxGroup = 24

// groupedSecret reports whether groups together are a drawn value: no sentence
// of short words, no number, no date.
func groupedSecret(joined string, size int) bool {
	const least, groups = 16, 4
	n := countKinds(joined)
	if len(joined) < least || len(joined)/size < groups || n.digits < 2 || n.upper+n.lower < 2 || dummy(joined) {
		return false
	}
	return hexKey(joined) || drawn(joined) || random(joined)
}

// groupEnd is where a group ends that begins at a place.
func groupEnd(text string, at int) int {
	for stop := min(len(text), at+maxGroup); at < stop && alphanumeric(text[at]); {
		at++
	}
	return at
}

func alphanumeric(c byte) bool {
	return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'
}

// groupedDigits redacts a key for a wireless network as its label has it: four or
// more groups of four digits behind a colon.
func (s *scanner) groupedDigits(end int) {
	const size = 4
	if end >= len(s.text) || s.text[end] != ':' {
		return
	}
	at := blanks(s.text, end+1)
	to, n := at, 0
	for n < 8 && groupEnd(s.text, to) == to+size && integer(s.text[to:to+size]) {
		n, to = n+1, to+size
		if to >= len(s.text) || s.text[to] != ' ' {
			break
		}
		to++
	}
	if n >= 4 {
		s.add(at, to-(to-at+1)%(size+1), rulePassword)
	}
}
