package privacy

// maxGroup is as far as a group is followed: longer ones are none.
const maxGroup = 24

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
