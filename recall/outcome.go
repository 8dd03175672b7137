package recall

import (
	"strings"
	"unicode/utf8"

	"keepmum/lazyregexp"
	"keepmum/store"
)

var (
	// notProse matches lines of diffs, tables, terminals and code, and rules between parts.
	notProse = lazyregexp.New(`(?i)^(?:[-=*_]{3,}$|//|[+<@|$}\[\])━─═]|\w+=["{]|diff --|\S+@\S+ .*[%$#]|` +
		`cancelled$)|[{};(,]$|=> *$`)
	// narrates matches what an agent is about to do, is aware of or is sorry for, after "Perfect! Now" and the like.
	narrates = lazyregexp.New(`(?i)^(?:(?:ok(?:ay)?|(?:great|good)(?: plan| point| question| idea| catch)?|perfect|` +
		`excellent|all ?right|right|sure|yes|ah|now|first|next|then|so|also|but|and|` +
		`\d+\.|you['’]re (?:absolutely )?right)\b[!,.: ]*)*(?:$|(?:` +
		`i(?:['’]ll| will| need to| should| want to|['’]m (?:going to|glad)| apologi[sz]e| can see| see)|` +
		`let me|let['’]s|i (?:now )?have (?:all|everything|[a-z ]*understanding)|thank you|looking at|based on|going to|` +
		`here(?:['’]s| is| are))\b)`)
)

// maxLine is how many characters of a message are read: the last sentence of a longer one is cut off.
const maxLine = 1_000

// reported returns the sentences of an answer that are neither code nor narration, without markdown. One that announces
// what is left out is left out, too.
func reported(answer string) (out []string) {
	all := sentences(fenced.ReplaceAllString(strings.ReplaceAll(answer, "**", ""), "\n```\n"))
	if len(all) > 1 && utf8.RuneCountInString(answer) >= maxLine {
		all = all[:len(all)-1]
	}
	for i, s := range all {
		announces := strings.HasSuffix(s, ":") && !(i+1 < len(all) && strings.IndexAny(all[i+1], "-*•123") == 0)
		heading := strings.HasPrefix(s, "#")
		said := strings.TrimLeft(s, "#>*-• ")
		isNext := heading && whatIsNext.MatchString(said+":")
		switch {
		case isNext:
			said = strings.TrimRight(said, ":") + ":"
		case announces || heading && (len(out) > 0 || len(store.Words(said)) < fewWords):
			continue
		case isCode(s) || isCode(said) || narrates.MatchString(said):
			continue
		}
		out = append(out, said)
	}
	return out
}

// isCode reports whether a line is no prose.
func isCode(line string) bool { return strings.HasPrefix(line, "```") || notProse.MatchString(line) }

// outcome returns what an answer says first, as there agents write what came of their work; "" = nothing.
func outcome(answer string) string {
	room := maxCameTo
	var kept []string
	for _, s := range reported(answer) {
		if room -= len(s) + 1; room < 0 && len(kept) > 0 {
			break
		}
		kept = append(kept, s)
	}
	said := strings.TrimSuffix(strings.Join(kept, " "), ":")
	if !saysSomething(said) {
		return ""
	}
	return quote(said, maxCameTo)
}
