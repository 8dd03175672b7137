package egress

import "keepmum/lazyregexp"

// nearName is every word that stands near secrets, in code as in prose. It is
// wider than what names a secret, because what it leads to is judged.
var nearName = lazyregexp.New(`(?i)pass(?:w|phrase|code|wd)|pwd|secret|token|key|credential|bearer|cookie|session|auth|private|signing|access|license|salt|login|client[_. -]?id|app(?:lication)?[_. -]?id|connection|webhook|kafka|dsn|otp`)

// reach is how far after a name its value is looked for.
const reach = 96

// nearNames looks at every word that follows a name closely, and asks less of
// it than of a word that stands alone.
func nearNames(text string) []Finding {
	var found []Finding
	done := 0
	for _, at := range nearName.FindAllStringIndex(text, -1) {
		from, to := max(at[1], done), min(at[1]+reach, len(text))
		for to < len(text) && wordByte(text[to]) && to < at[1]+2*reach {
			to++ // a word that begins in reach is judged whole
		}
		if from >= to {
			continue
		}
		found = append(found, judgeNear(text[from:to], from)...)
		done = to
	}
	return found
}

func judgeNear(window string, offset int) []Finding {
	var found []Finding
	for _, w := range word.FindAllStringIndex(window, -1) {
		if lowBar(window[w[0]:w[1]]) {
			found = append(found, Finding{Rule: "near-name", Start: offset + w[0], End: offset + w[1]})
		}
	}
	for _, w := range human.FindAllStringSubmatchIndex(window, -1) {
		if madeUp(window[w[2]:w[3]]) {
			found = append(found, Finding{Rule: "near-name", Start: offset + w[2], End: offset + w[3]})
		}
	}
	return found
}

func wordByte(c byte) bool {
	return letter(c) || digit(c) || c == '+' || c == '/' || c == '_' || c == '=' || c == '-' || c == '.'
}
