package value

// ASCII reports whether a text has no letters of other alphabets.
func ASCII(text string) bool {
	for ; len(text) >= 8; text = text[8:] {
		b := text[:8] // the compiler makes one load of it
		if (uint64(b[0])|uint64(b[1])<<8|uint64(b[2])<<16|uint64(b[3])<<24|
			uint64(b[4])<<32|uint64(b[5])<<40|uint64(b[6])<<48|uint64(b[7])<<56)&0x8080808080808080 != 0 {
			return false
		}
	}
	for i := range len(text) {
		if text[i] >= 0x80 {
			return false
		}
	}
	return true
}
