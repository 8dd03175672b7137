package place

import (
	"strings"

	"keepmum/privacy/assign"
	"keepmum/privacy/pair"
	"keepmum/privacy/scan"
	"keepmum/privacy/value"
)

// counted returns the words of a line except those that a rule skips.
func counted(text string, from, to int, skip []string) [][2]int {
	var out [][2]int
	for _, w := range commandWords(text, from, to) {
		if !skipped(text[w[0]:w[1]], skip) {
			out = append(out, w)
		}
	}
	return out
}

// skipped reports whether a word is in a list, in which a star matches the rest of a word.
func skipped(word string, list []string) bool {
	for _, w := range list {
		switch {
		case w == word:
			return true
		case len(w) == 1:
		case w[len(w)-1] == '*' && strings.HasPrefix(word, w[:len(w)-1]):
			return true
		case w[0] == '*' && strings.HasSuffix(word, w[1:]):
			return true
		}
	}
	return false
}

// nthWord returns the nth word, from the end if n is negative; of NAME=value, the value.
func nthWord(text string, words [][2]int, n int) []scan.Span {
	if n < 0 {
		n += len(words) + 1
	}
	if n < 1 || n > len(words) {
		return nil
	}
	from, to := words[n-1][0], words[n-1][1]
	if name, _, ok := strings.Cut(text[from:to], "="); ok && assign.WordLike(name) {
		from += len(name) + 1
	}
	return bared(text, from, to)
}

// behindKeywords returns the words after those in a list.
func behindKeywords(text string, words [][2]int, list string) (out []scan.Span) {
	for i := 1; i < len(words); i++ {
		if value.InList(value.LowerASCII(text[words[i-1][0]:words[i-1][1]]), list) {
			out = append(out, bared(text, words[i][0], words[i][1])...)
		}
	}
	return out
}

// bared returns a part of a text without surrounding quotes and commas.
func bared(text string, from, to int) []scan.Span {
	from, to = value.Trimmed(text, from, to, " \t", " \t,;")
	for to-from > 1 && strings.IndexByte("\"'`", text[from]) >= 0 && text[to-1] == text[from] {
		from, to = from+1, to-1
	}
	if to > from && strings.IndexByte("\"'", text[to-1]) >= 0 && strings.Count(text[from:to], text[to-1:to]) == 1 {
		to-- // the literal starts before this part
	}
	if from >= to {
		return nil
	}
	return []scan.Span{{Start: from, End: to}}
}

// answered returns what follows the colon of a question on the same line, if it has at most that many words; 0 = any
// number.
func answered(text string, from, to, most int) []scan.Span {
	n := strings.Index(text[from:to], ": ")
	if n < 0 || most > 0 && len(strings.Fields(text[from+n+2:to])) > most {
		return nil
	}
	return bared(text, from+n+2, to)
}

// below returns the nth line below, without the line number that a database client adds.
func below(text string, at, nth int) []scan.Span {
	from := at
	for range nth {
		n := strings.IndexByte(text[lineEnd(text, from):min(len(text), lineEnd(text, from)+2)], '\n')
		if n < 0 {
			return nil
		}
		from = lineEnd(text, from) + n + 1
	}
	end := lineEnd(text, from)
	if i := strings.Index(text[from:end], ") "); i > 0 && value.Integer(strings.TrimLeft(text[from:from+i], " ")) {
		from += i + 2
	}
	return bared(text, from, end)
}

// accountLines returns the passwords in the following lines of the form NAME:PASSWORD.
func accountLines(text string, at int) (out []scan.Span) {
	const most = 20
	word := at
	for range most {
		if at+1 >= len(text) {
			return out
		}
		from := at + 1
		at = lineEnd(text, from)
		name, v, ok := strings.Cut(text[from:at], ":")
		if strings.TrimSpace(v) == "" || strings.TrimSpace(v) == "|" {
			if ok {
				continue // list: |
			}
			return out
		}
		if !assign.WordLike(strings.TrimLeft(strings.TrimSpace(name), "-\"' ")) || strings.HasPrefix(v, " ") {
			return out
		}
		if file := name + ":"; strings.HasPrefix(text[value.LineStart(text, word, maxLine):], file) {
			return out // found by grep in the same file
		}
		out = append(out, bared(text, from+len(name)+1, at)...)
	}
	return out
}

// nthLiteral returns the nth literal of a call, from the end if n is negative; 0 is the one whose quote ends the word.
func nthLiteral(s *scan.Scanner, end, n int) []scan.Span {
	if n == 0 {
		quote := s.Text[end-1]
		to := assign.ClosingQuote(s.Text, end, quote, 0, maxLine)
		for strings.HasSuffix(s.Text[end:to], `\r`) || strings.HasSuffix(s.Text[end:to], `\n`) {
			to -= len(`\n`)
		}
		return []scan.Span{{Start: end, End: to}}
	}
	list := pair.Literals(s, end)
	if n < 0 {
		n += len(list) + 1
	}
	if n < 1 || n > len(list) {
		return nil
	}
	return list[n-1 : n]
}

// asked returns the nth literal behind a word, if one of the rule's near texts stands before it and no other of the
// rule's words is between: in expect "Password:" { send "…" } it is what is sent. A word that is no method must begin
// a statement behind "expect" or a block.
func asked(s *scan.Scanner, p program, end int) []scan.Span {
	const reach = 120
	before := value.LowerASCII(s.Text[max(0, end-len(p.word)-reach) : end-len(p.word)])
	if p.word[0] != '.' && !sent(before) {
		return nil
	}
	for _, w := range p.Words {
		if i := strings.LastIndex(before, strings.TrimRight(w, " -\"'")); i >= 0 {
			before = before[i:]
			before = before[strings.IndexAny(before, ");\n")+1:] // what was typed there
		}
	}
	if !value.ContainsAny(before, p.Near...) {
		return nil
	}
	return nthLiteral(s, end, p.Place.Nth)
}

// sent reports whether the next word begins a statement of a script that expects something.
func sent(before string) bool {
	if !strings.Contains(before, "expect") && strings.IndexByte(before, '{') < 0 {
		return false
	}
	before = strings.TrimRight(before, " \t")
	return before != "" && strings.IndexByte("\n{;", before[len(before)-1]) >= 0
}

// typed returns the literal that is the argument of a method, if the object of the method has one of the rule's near
// texts, as in page.locator("#password").fill("…"). The object may stand in the line above.
func typed(s *scan.Scanner, p program, end int) []scan.Span {
	const reach = 120
	before := value.LowerASCII(s.Text[max(0, end-len(p.word)-reach) : end-len(p.word)])
	before = strings.TrimRight(before, " \t\r\n")
	before = before[strings.LastIndexAny(before, "\n;")+1:]
	for _, w := range p.Words {
		before = before[strings.LastIndex(before, w)+1:]
	}
	for _, ends := range []string{"), ", ") ", "{ "} {
		before = before[strings.LastIndex(before, ends)+1:]
	}
	if !value.ContainsAny(before, p.Near...) {
		return nil
	}
	return firstLiteral(s, end)
}

// fed returns what a command at [at, end) is fed: the word behind <<<, and the last one that is printed into its pipe.
// The text that the rule asks for must be in the same command.
func fed(text string, p program, end, stop int) (out []scan.Span) {
	at := end - len(p.word)
	own := text[at:stop]
	if n := strings.IndexAny(strings.ReplaceAll(own, ">&", ">>"), ";|&"); n >= 0 { // 2>&1 is in the command
		own = own[:n]
	}
	if !strings.Contains(own, p.Only) {
		return nil
	}
	if n := strings.Index(own, "<<<"); n >= 0 {
		if words := commandWords(text, at+n+len("<<<"), stop); len(words) > 0 {
			out = bared(text, words[0][0], words[0][1])
		}
	}
	return append(out, piped(text, at)...)
}

// piped returns the last word that echo, printf or cat <<< prints into the pipe of the command at an offset.
func piped(text string, at int) []scan.Span {
	start := value.LineStart(text, at, maxLine)
	pipe := strings.LastIndexByte(text[start:at], '|')
	row := strings.HasPrefix(strings.TrimLeft(text[start:at], " \t"), "|") // of a table in Markdown
	if pipe < 0 || row || !launched(text[start+pipe+1:at]) {
		return nil
	}
	prints := -1
	for _, printer := range []string{"echo ", "printf ", "cat <<<"} {
		prints = max(prints, strings.LastIndex(text[start:start+pipe], printer))
	}
	if prints < 0 {
		return nil
	}
	words := commandWords(text, start+prints, start+pipe)
	for _, w := range words {
		if strings.HasSuffix(text[w[0]:w[1]], ";") || value.InList(text[w[0]:w[1]], " && || | ") {
			return nil // another command follows
		}
	}
	last := len(words) - 1
	for last > 0 && strings.HasPrefix(strings.TrimLeft(text[words[last][0]:words[last][1]], "0123456789&"), ">") {
		last-- // 2>/dev/null
	}
	if last < 1 {
		return nil
	}
	from, to := words[last][0], words[last][1]
	if text[to-1] == ')' && strings.HasPrefix(strings.TrimLeft(text[start:], " $#"), "(") {
		to-- // (echo …; echo …) |
	}
	return bared(text, from, to)
}

// launched reports whether what stands before the name of a command only starts it: sudo -S, npx, its folder.
func launched(before string) bool {
	before = before[:strings.LastIndexByte(before, ' ')+1]
	for word := range strings.FieldsSeq(before) {
		if word[0] != '-' && !value.InList(word, " sudo doas env npx bunx yarn pnpm dlx exec ") {
			return false
		}
	}
	return true
}

// loginWord returns the password of NAME:PASSWORD@HOST, the first word of a command that is no flag.
func loginWord(text, command string, end, stop int) []scan.Span {
	words := commandWords(text, end, stop)
	if !strings.HasSuffix(command, " ") && len(words) > 0 {
		words = words[1:] // the rest of the command
	}
	for _, w := range words {
		if text[w[0]] == '-' {
			continue
		}
		_, login, ok := strings.Cut(text[w[0]:w[1]], ":")
		host := strings.LastIndexByte(login, '@')
		if !ok || host < 1 || strings.Trim(login[host+1:], "\"'") == "" || strings.HasPrefix(login, "//") {
			return nil
		}
		from := w[1] - len(login)
		return bared(text, from, from+host)
	}
	return nil
}

// firstLiteral returns the literal directly after a word.
func firstLiteral(s *scan.Scanner, end int) []scan.Span {
	at := end
	if strings.HasPrefix(s.Text[at:], "b") {
		at++ // of bytes
	}
	if at >= len(s.Text) || strings.IndexByte("\"'`", s.Text[at]) < 0 {
		return nil
	}
	return nthLiteral(s, end, 1)
}

// literalBefore returns the literal that ends where a word starts.
func literalBefore(text string, at int) []scan.Span {
	if at < 2 || strings.IndexByte("\"'", text[at-1]) < 0 {
		return nil
	}
	open := strings.LastIndexByte(text[max(0, at-1-maxLine):at-1], text[at-1])
	if open < 0 {
		return nil
	}
	return []scan.Span{{Start: max(0, at-1-maxLine) + open + 1, End: at - 1}}
}

// column returns the digits in the cells below a column header.
func column(s *scan.Scanner, from, to int) (out []scan.Span) {
	for _, c := range pair.CellsBelow(s, from, to) {
		for _, at := range bared(s.Text, c.Start, c.End) {
			if pin := pinBehind(s.Text, at.Start, at.End); pin != nil && pin[0] == at {
				out = append(out, at)
			}
		}
	}
	return out
}

// returned returns the literal that a function returns in the first line of its body, after the bracket of its
// arguments.
func returned(s *scan.Scanner, end int) []scan.Span {
	const reach = 80
	head, _, ok := strings.Cut(s.Text[end:min(len(s.Text), end+reach)], "return ")
	if kind := strings.Trim(head, " \t\r\n():{"); !ok || kind != "" && kind != "string" {
		return nil
	}
	return firstLiteral(s, end+len(head)+len("return "))
}

// namedLiterals returns the literals of a call or a row that follow one that names a secret: "db.password", "…".
func namedLiterals(s *scan.Scanner, end int) (out []scan.Span) {
	list := pair.Literals(s, end)
	for i := 1; i < len(list); i++ {
		name := s.Text[list[i-1].Start:list[i-1].End]
		if strings.IndexByte(name, ' ') < 0 && value.KeyStrength(name) == value.PasswordKey {
			out = append(out, list[i])
		}
	}
	return out
}

// pinBehind returns the four to eight digits of a setting's value, unless they are a year.
func pinBehind(text string, from, to int) []scan.Span {
	from, _ = value.Trimmed(text, from, to, " \t\"'=:>|\\", "")
	end := from
	for end < to && value.Digit(text[end]) {
		end++
	}
	v := text[from:end]
	year := len(v) == 4 && v > "1989" && v < "2040"
	if len(v) < 4 || len(v) > 8 || year || value.RepeatedCharacter(v) {
		return nil
	}
	if end < to && (strings.IndexByte(".:/-_%", text[end]) >= 0 || value.Alphanumeric(text[end])) {
		return nil // a different kind of number
	}
	return []scan.Span{{Start: from, End: end}}
}

// hexBehind returns the 64 digits of the first hex number in a line, as keys of wallets are written.
func hexBehind(text string, from, to int) []scan.Span {
	from += strings.Index(text[from:to]+"0x", "0x") + len("0x")
	end := from + 64
	if end > to || !value.HexKey(text[from:end]) || end < to && value.Alphanumeric(text[end]) {
		return nil
	}
	return []scan.Span{{Start: from, End: end}}
}
