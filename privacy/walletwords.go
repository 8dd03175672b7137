package privacy

import "strings"

// walletWords redacts the words of a wallet that stand in a line of their own, or
// behind a colon or "is", near a word that says what they are.
func (s *scanner) walletWords(end int) {
	const reach, below = 400, 3
	line, _, _ := strings.Cut(s.text[end:min(len(s.text), end+reach)], "\n")
	from := end + strings.LastIndexByte(line, ':') + 1
	for _, w := range []string{" is ", " are "} {
		if strings.HasPrefix(s.text[from:], w) {
			from += len(w)
		}
	}
	if s.rowOfWords(from, end+len(line)) {
		return
	}
	for at, n := end+len(line)+1, 0; n < below && at < len(s.text); n++ {
		line, _, _ = strings.Cut(s.text[at:min(len(s.text), at+reach)], "\n")
		if s.rowOfWords(at, at+len(line)) {
			return
		}
		at += len(line) + 1
	}
	if at := lineStart(s.text, end, reach); at > 1 {
		s.rowOfWords(lineStart(s.text, at-1, reach), at-1)
	}
}

// rowOfWords redacts what stands alone in [from, to) if it is as many words as
// wallets have, and all could be in their lists: short ones, hardly one of them in
// the plural, and none of those that sentences are held together with.
func (s *scanner) rowOfWords(from, to int) bool {
	const shortest, longest, least, most = 3, 8, 12, 24
	row := s.text[from:to]
	words := strings.Trim(row, " \t\r.,>-\"'`")
	if n := len(words); n < least*(shortest+1)-1 || n > most*(longest+2) || words[0] < 'a' || words[0] > 'z' {
		return false
	}
	count, plurals := 0, 0
	for word := range strings.FieldsSeq(words) {
		word = strings.TrimSuffix(word, ",")
		if len(word) < shortest || len(word) > longest || strings.Trim(word, "abcdefghijklmnopqrstuvwxyz") != "" || in(word, notInWallets) {
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
	s.add(from, from+len(words), ruleSecret)
	return true
}

// notInWallets are words that are in none of the lists that wallets use.
const notInWallets = " the and for are was with from had not but has its our your were been being does did them they these those which whose who how why could would might got him his her she into onto because while also per via etc "
