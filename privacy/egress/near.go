package egress

import (
	"strings"

	"keepmum/lazyregexp"
)

// nearName matches every word that occurs near secrets, in code and in prose. It is wider than the names of secrets,
// because the values that it leads to are checked.
var nearName = lazyregexp.New(
	`(?i)pass(?:w|phrase|code|wd)|pwd|secret|token|key|credential|bearer|cookie|session|auth|private|signing|access|license|salt|login|client[_. -]?id|app(?:lication)?[_. -]?id|connection|webhook|kafka|dsn|otp`,
)

// reach is how far after a name its value may be.
const reach = 96

// nearNames checks every word that closely follows a name, with a lower threshold than for a word that stands alone.
func nearNames(text string) []Finding {
	var found []Finding
	done := 0
	for _, at := range nearName.FindAllStringIndex(text, -1) {
		from, to := max(at[1], done), min(at[1]+reach, len(text))
		for to < len(text) && wordByte(text[to]) && to < at[1]+2*reach {
			to++ // a word that starts within reach is checked completely
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

func wordByte(c byte) bool { return letter(c) || digit(c) || strings.IndexByte("+/_=-.", c) >= 0 }
