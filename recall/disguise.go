package recall

import (
	"encoding/base64"
	"html"
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"keepmum/lazyregexp"
)

// forms returns a text unchanged and in its decoded forms: without invisible characters, with Latin letters in place of
// lookalikes from other scripts, unescaped, decoded from base64.
func forms(s string) []string {
	seen := plainSpace(visible(s))
	all := []string{plainSpace(s), seen, latin(seen)}
	if strings.Contains(s, "&") {
		all = append(all, plainSpace(visible(html.UnescapeString(s))))
	}
	if strings.Contains(s, "%") {
		if u, err := url.PathUnescape(s); err == nil {
			all = append(all, plainSpace(visible(u)))
		}
	}
	if hidden := tagText(s); hidden != "" {
		all = append(all, hidden)
	}
	all = append(all, decoded(s)...)
	slices.Sort(all)
	return slices.Compact(all)
}

// visible removes characters without a shape of their own: zero-width characters, joiners, direction marks, and control
// characters except white space.
func visible(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Cf, r) || unicode.IsControl(r) && !unicode.IsSpace(r) ||
			unicode.Is(unicode.Variation_Selector, r) {
			return -1
		}
		return r
	}, s)
}

// plainSpace joins lines, so that an instruction split over several lines is found, and removes decoration around
// words.
func plainSpace(s string) string {
	return strings.Join(strings.Fields(strings.NewReplacer("*", "", "`", "", "~~", "").Replace(s)), " ")
}

// lookalikes are letters that look like Latin ones.
const (
	lookalikes = "аеорсухіјѕԁһӏԛԝкмтвнαορνικτυεıɡ"
	lookLike   = "aeopcyxijsdhlqwkmtbhaopviktueig"
)

// latin replaces lookalikes by Latin letters, and removes diacritics.
func latin(s string) string {
	from, to := []rune(lookalikes), []rune(lookLike)
	return strings.Map(func(r rune) rune {
		switch {
		case r < utf8.RuneSelf:
			return r
		case unicode.Is(unicode.Mn, r):
			return -1
		case r >= '！' && r <= '～': // full width
			return r - '！' + '!'
		case r >= 0x1D400 && r <= 0x1D6A3: // mathematical alphabets, 26 capital and 26 small letters each
			return mathLetter((r - 0x1D400) % 52)
		case r >= 'ⓐ' && r <= 'ⓩ':
			return r - 'ⓐ' + 'a'
		}
		for i, like := range from {
			if unicode.ToLower(r) == like {
				return to[i]
			}
		}
		return r
	}, s)
}

func mathLetter(n rune) rune {
	if n < 26 {
		return 'A' + n
	}
	return 'a' + n - 26
}

func onlyLetters(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, s)
}

// Tag characters are an invisible copy of ASCII. They are only used in flags, after a black flag.
const (
	firstTag, lastTag = 0xE0000, 0xE007F
	blackFlag         = 0x1F3F4
	flagTags          = 7 // of a flag: a region of up to six characters, and the end
)

// tagText returns the text written in tag characters.
func tagText(s string) string {
	return strings.Map(func(r rune) rune {
		if r > firstTag && r < lastTag {
			return r - firstTag
		}
		return -1
	}, s)
}

// hidesText reports whether a text has more tag characters than flags need.
func hidesText(s string) bool {
	n, flags := 0, 0
	for _, r := range s {
		switch {
		case r == blackFlag:
			flags++
		case r >= firstTag && r <= lastTag:
			n++
		}
	}
	return n > flags*flagTags
}

var base64Run = lazyregexp.New(`[A-Za-z0-9+/_-]{24,}`)

// decoded returns the base64 in a text, decoded, if the result is text.
func decoded(s string) []string {
	var out []string
	for _, run := range base64Run.FindAllString(s, 8) {
		run = strings.NewReplacer("-", "+", "_", "/").Replace(run)
		if len(run)%4 == 1 { // base64 never has this length
			run = run[:len(run)-1]
		}
		data, err := base64.RawStdEncoding.DecodeString(run)
		if err == nil && isText(data) {
			out = append(out, plainSpace(string(data)))
		}
	}
	return out
}

func isText(data []byte) bool {
	if !utf8.Valid(data) {
		return false
	}
	for _, r := range string(data) {
		if !unicode.IsPrint(r) && !unicode.IsSpace(r) {
			return false
		}
	}
	return true
}
