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

// forms returns a text as it is, and as what it stands for: without
// characters that nobody sees, with letters of other scripts that look like
// Latin ones, unescaped, decoded.
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

// visible drops what has no shape of its own: zero-width characters, joiners,
// marks that turn the direction of text, and control characters but for space.
func visible(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Cf, r) || unicode.IsControl(r) && !unicode.IsSpace(r) ||
			unicode.Is(unicode.Variation_Selector, r) {
			return -1
		}
		return r
	}, s)
}

// plainSpace joins lines, so that an instruction broken over them is one, and
// takes out what only decorates words.
func plainSpace(s string) string {
	return strings.Join(strings.Fields(strings.NewReplacer("*", "", "`", "", "~~", "").Replace(s)), " ")
}

// lookalikes are letters that cannot be told from Latin ones by sight.
const (
	lookalikes = "аеорсухіјѕԁһӏԛԝкмтвнαορνικτυεıɡ"
	lookLike   = "aeopcyxijsdhlqwkmtbhaopviktueig"
)

// latin writes letters of other scripts as the Latin ones they look like, and
// drops marks that were put on letters.
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
		case r >= 0x1D400 && r <= 0x1D6A3: // mathematical alphabets, 26 capitals and 26 small letters each
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

// Tag characters repeat ASCII unseen. Their one use is in flags, after a black flag.
const (
	firstTag, lastTag = 0xE0000, 0xE007F
	blackFlag         = 0x1F3F4
	flagTags          = 7 // of a flag: a region of up to six signs, and the end
)

// tagText is what is written in tag characters.
func tagText(s string) string {
	return strings.Map(func(r rune) rune {
		if r > firstTag && r < lastTag {
			return r - firstTag
		}
		return -1
	}, s)
}

// hidesText reports whether there is more in tag characters than a flag has.
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

// decoded returns what stands in base64, where it is text.
func decoded(s string) []string {
	var out []string
	for _, run := range base64Run.FindAllString(s, 8) {
		run = strings.NewReplacer("-", "+", "_", "/").Replace(run)
		if len(run)%4 == 1 { // no text has that length
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
