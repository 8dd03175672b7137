package place

import (
	"strings"

	"keepmum/privacy/scan"
	"keepmum/privacy/value"
)

// WalletWords redacts the words of a wallet that stand in a line of their own, or
// behind a colon or "is", near a word that says what they are.
func WalletWords(s *scan.Scanner, end int) {
	const reach, below = 400, 3
	line, _, _ := strings.Cut(s.Text[end:min(len(s.Text), end+reach)], "\n")
	from := end + strings.LastIndexByte(line, ':') + 1
	for _, w := range []string{" is ", " are "} {
		if strings.HasPrefix(s.Text[from:], w) {
			from += len(w)
		}
	}
	if rowOfWords(s, from, end+len(line)) {
		return
	}
	for at, n := end+len(line)+1, 0; n < below && at < len(s.Text); n++ {
		line, _, _ = strings.Cut(s.Text[at:min(len(s.Text), at+reach)], "\n")
		if rowOfWords(s, at, at+len(line)) {
			return
		}
		at += len(line) + 1
	}
	if at := value.LineStart(s.Text, end, reach); at > 1 {
		rowOfWords(s, value.LineStart(s.Text, at-1, reach), at-1)
	}
}

// rowOfWords redacts what stands alone in [from, to) if it is as many words as
// wallets have, and all could be in their lists: short ones, hardly one of them in
// the plural, and none of those that sentences are held together with.
func rowOfWords(s *scan.Scanner, from, to int) bool {
	const shortest, longest, least, most = 3, 8, 12, 24
	row := s.Text[from:to]
	words := strings.Trim(row, " \t\r.,>-\"'`")
	if n := len(words); n < least*(shortest+1)-1 || n > most*(longest+2) || words[0] < 'a' || words[0] > 'z' {
		return false
	}
	count, plurals := 0, 0
	for word := range strings.FieldsSeq(words) {
		word = strings.TrimSuffix(word, ",")
		if len(word) < shortest || len(word) > longest || strings.Trim(word, "abcdefghijklmnopqrstuvwxyz") != "" || value.In(word, notInWallets) {
			return false
		}
		if count++; strings.HasSuffix(word, "s") && !strings.HasSuffix(word, "ss") || strings.HasSuffix(word, "ing") || strings.HasSuffix(word, "ed") {
			plurals++
		}
	}
	if count < least || count > most || count%3 != 0 || plurals*4 > count {
		return false
	}
	from += strings.Index(row, words)
	scan.Add(s, from, from+len(words), scan.RuleSecret)
	return true
}

// notInWallets are words that are in none of the lists that wallets use.
const notInWallets = " the and for are was with from had not but has its our your were been being does did them they these those which whose who how why could would might got him his her she into onto because while also per via etc "
