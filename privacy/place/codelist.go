package place

import (
	"iter"
	"strings"

	"keepmum/privacy/assign"
	"keepmum/privacy/scan"
	"keepmum/privacy/value"
)

// groups finds a key in groups of the same length after a colon, after a sentence or in a line below: at least four
// groups, or at least two with digits and letters.
func groups(text string, from int) []scan.Span {
	const reach = 160
	limit := min(len(text), from+reach)
	var list [][2]int
	for w := range assign.EachField(text, from, limit) {
		w[0], _ = value.Trimmed(text, w[0], w[1], "\"'`(*", "")
		v := strings.TrimRight(text[w[0]:w[1]], ".,;\"'`)*")
		fits := groupForm(v) && (len(list) == 0 || len(v) == list[0][1]-list[0][0])
		if fits {
			list = append(list, [2]int{w[0], w[0] + len(v)})
		}
		if fits && len(v) == w[1]-w[0] {
			continue
		}
		if len(list) >= leastGroups(text, list) {
			break // a comma ends the key, too
		}
		if list = list[:0]; !fits && groupForm(v) {
			list = append(list, [2]int{w[0], w[0] + len(v)})
		}
	}
	if len(list) < leastGroups(text, list) {
		return nil
	}
	key := text[list[0][0]:list[len(list)-1][1]]
	joined := strings.NewReplacer(" ", "", "-", "").Replace(key)
	if value.CountKinds(joined).Digits == 0 && !value.RandomLetters(joined) {
		return nil // probably four ordinary words of four letters
	}
	return []scan.Span{{Start: list[0][0], End: list[len(list)-1][1]}}
}

// groupForm reports whether a word can be one of the groups of a key: letters or digits in one case, or two such groups
// joined by a hyphen.
func groupForm(v string) bool {
	n := value.CountKinds(v)
	if len(v) < 4 || len(v) > 60 || n.Lower > 0 && n.Upper > 0 || strings.Trim(v, value.Letters+"0123456789-") != "" {
		return false
	}
	width := 0
	for part := range strings.SplitSeq(v, "-") {
		if len(part) < 4 || len(part) > 8 || width > 0 && len(part) != width {
			return false
		}
		width = len(part)
	}
	return !value.StopWords[value.LowerASCII(v)]
}

// leastGroups returns how many groups make a key: fewer if each is long, or has letters and digits.
func leastGroups(text string, list [][2]int) int {
	if len(list) == 0 {
		return 1
	}
	v := text[list[0][0]:list[0][1]]
	switch joints := strings.Count(v, "-"); {
	case joints >= 3:
		return 1
	case joints > 0 && value.Mixed(v):
		return 2
	}
	return 4
}

// codes finds a list of access codes: two or more groups of letters and digits, or pairs of four digits, of the same
// length, after their name or in the lines below it.
func codes(text string, from int) (out []scan.Span) {
	const reach, advice = 700, 40
	words, width := 0, 0
	for m := range eachCode(text[from:min(len(text), from+reach)]) {
		v := text[from+m[0] : from+m[1]]
		if width != 0 && len(v) != width || !codeForm(v) && !numberLine(text, from+m[0], from+m[1]) {
			if words++; words > advice || len(out) > 1 {
				break
			}
			continue
		}
		width = len(v)
		out = append(out, scan.Span{Start: from + m[0], End: from + m[1]})
	}
	if len(out) < 2 {
		return nil
	}
	return out
}

// eachCode yields the words of a text without surrounding punctuation. Two numbers of four digits form one word, and
// the numbers of a list are skipped.
func eachCode(text string) iter.Seq[[2]int] {
	return func(yield func([2]int) bool) {
		last := [2]int{}
		for w := range assign.EachField(text, 0, len(text)) {
			v := strings.TrimRight(text[w[0]:w[1]], ".),;:/\"'`\\}]")
			if v == "" || value.Integer(v) && len(v) < 3 {
				continue
			}
			code := strings.TrimLeft(v[strings.LastIndexAny(v, "\"'`")+1:], "-*(")
			w[0] += len(v) - len(code)
			w[1] = w[0] + len(code)
			if half := w[1]-w[0] == 4 && value.Integer(text[w[0]:w[1]]); half && last[1] == w[0]-1 {
				w[0] = last[0]
			} else if half {
				last = w
				continue
			}
			if last = [2]int{}; !yield(w) {
				return
			}
		}
	}
}

// numberLine reports whether a long number is alone on its line.
func numberLine(text string, from, to int) bool {
	line := text[value.LineStart(text, from, maxLine):lineEnd(text, to)]
	return to-from >= 8 && strings.TrimSpace(line) == text[from:to] && value.Integer(text[from:to]) &&
		!dated(text[from:to])
}

// codeForm reports whether a word is one code of a list: groups of letters and digits joined by hyphens, one group, or
// two of four digits.
func codeForm(v string) bool {
	n := value.CountKinds(v)
	if len(v) < 6 || len(v) > 24 || n.Digits == 0 || dated(v) || value.Integer(v) {
		return false
	}
	if n.Lower > 0 && n.Upper > 0 && value.CamelWords(v) {
		return false
	}
	half := strings.IndexAny(v, "- ") // the groups have the same length; 6-digit does not
	return strings.Trim(v, value.Letters+"0123456789- ") == "" && (half < 0 || (len(v)+1)%(half+1) == 0)
}

// maxWallet is how many bytes the words of a wallet and their numbers can take.
const maxWallet = 480

// walletWords finds the seed phrase of a wallet: a number of short words as wallets use, without the small words of
// sentences and with hardly any plural.
func walletWords(text string, from int) []scan.Span {
	const least, most = 12, 24 + 2 // a sentence may go on
	count, plurals, start, end := 0, 0, 0, 0
	for w := range assign.EachField(text, from, min(len(text), from+maxWallet)) {
		word := strings.Trim(text[w[0]:w[1]], `"'`+"`,")
		if number := strings.TrimRight(word, ".)"); count > 0 && len(number) < len(word) && value.Integer(number) {
			continue
		}
		if last := strings.TrimRight(word, "."); !walletWord(last) {
			if count >= least {
				break
			}
			count, plurals = 0, 0
			continue
		} else if word = last; count == 0 {
			start = w[0] + strings.Index(text[w[0]:w[1]], word)
		}
		if count++; pluralForm(word) {
			plurals++
		}
		end = w[0] + strings.Index(text[w[0]:w[1]], word) + len(word)
	}
	if count < least || count > most || plurals*4 > count {
		return nil
	}
	return []scan.Span{{Start: start, End: end}}
}

// walletWord reports whether a word can be in one of the word lists of wallets.
func walletWord(v string) bool {
	return len(v) >= 3 && len(v) <= 8 && strings.Trim(v, value.SmallLetters) == "" &&
		!value.InList(v, notInWallets)
}

// pluralForm reports whether a word has an ending that is rare in those lists.
func pluralForm(v string) bool {
	return strings.HasSuffix(v, "s") && !strings.HasSuffix(v, "ss") || strings.HasSuffix(v, "ing") ||
		strings.HasSuffix(v, "ed")
}

// notInWallets are words that are in none of the word lists of wallets.
const notInWallets = " the and for are was with from had not but has its our your were been being does did them " +
	"they these those which whose who how " +
	"why could would might got him his her she into onto because while also per via etc "
