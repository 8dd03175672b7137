package speech

import (
	"slices"

	"keepmum/privacy/languages"
	"keepmum/privacy/scan"
	"keepmum/privacy/value"
)

// Triggers returns triggers for the ASCII words near which a secret may be.
func Triggers(secretWords []string) []scan.Trigger {
	var words [scan.CueKinds][]string
	for _, w := range secretWords {
		of := scan.CueKey
		if namesPassword(w) {
			of = scan.CuePassword
		}
		words[of] = append(words[of], w)
	}
	for of, kind := range scan.CueNames {
		for _, w := range languages.ByKind()[kind] {
			if low := value.LowerASCII(w); value.ASCII(w) && !slices.Contains(words[of], low) {
				words[of] = append(words[of], low)
			}
		}
	}
	var out []scan.Trigger
	for of, list := range words {
		out = append(out, scan.Trigger{Words: list, Run: func(s *scan.Scanner, end int) {
			recordCue(s, scan.CueOf(of), end)
		}})
	}
	return out
}

// namesPassword reports whether a part of a name means a password, not a key.
func namesPassword(w string) bool {
	return value.ContainsAny(w, "pas", "pw", "psw", "pss", "kenn", "wacht", "senh", "hasl", "psk")
}

// NonASCIICues returns the cues beyond ASCII, and what each is about.
func NonASCIICues() (words []string, of []scan.CueOf) {
	for n, kind := range scan.CueNames {
		for _, w := range languages.ByKind()[kind] {
			if !value.ASCII(w) {
				words, of = append(words, w), append(of, scan.CueOf(n))
			}
		}
	}
	return words, of
}

// recordCue records a cue, unless it is a short word inside a longer one.
func recordCue(s *scan.Scanner, of scan.CueOf, end int) {
	const short = 4
	if end == 0 || of == scan.CuePassword && scan.TestResult(s.Text, end) {
		return
	}
	if of == scan.CueEnter && (scan.Again(s) || !isEnterWord(s.Text, end)) {
		return
	}
	if end < len(s.Text) && of > scan.CueKey {
		from := end
		for from > 0 && end-from < short && scan.WordByte(s.Text, from-1) {
			from--
		}
		if end-from < short && scan.WordByte(s.Text, end) {
			return
		}
	}
	scan.Cued(s, of, end-1, end)
}

// isEnterWord reports whether the word around an offset is a word of entering, or starts with one.
func isEnterWord(text string, end int) bool {
	const longest = 16
	from, to := scan.WordAround(text, end, end, longest)
	return from < len(text) && between().enters[text[from]] && ClassOf(text[from:to]) == "enter"
}
