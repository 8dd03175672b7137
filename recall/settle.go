package recall

import (
	"cmp"
	"hash/maphash"
	"math"
	"slices"
	"strings"
	"sync"
	"unicode"

	"keepmum/lazyregexp"
)

// maxCue is how often one kind of sign counts in a text.
const maxCue = 2

// pasted matches a long quotation: a mail, a review, somebody else's words.
var pasted = lazyregexp.New(`(?s)"[^"]{100,}(?:"|$)|“[^”]{100,}(?:”|$)`)

// minLetters is the minimum share of letters and spaces in a line that somebody typed. Logs, tables and code have
// fewer.
const minLetters = 0.75

// typed returns the part of a message that is in the user's own words.
func typed(text string) string {
	text = pasted.ReplaceAllString(text, " ")
	if strings.Count(text, "\n") < 2 {
		return strings.TrimSpace(text)
	}
	var kept []string
	for line := range strings.Lines(text) {
		letters, all := 0, 0
		for _, r := range line {
			all++
			if unicode.IsLetter(r) || unicode.IsSpace(r) {
				letters++
			}
		}
		if float64(letters) >= minLetters*float64(all) {
			kept = append(kept, line)
		}
	}
	return strings.TrimSpace(strings.Join(kept, ""))
}

// remembered caches the latest judgements by the hash of the text: the sessions of a project are read for each of its
// prompts, and judging their messages is half of the work.
var remembered = struct {
	sync.Mutex
	seed   maphash.Seed
	judged map[uint64]judgement
}{seed: maphash.MakeSeed(), judged: map[uint64]judgement{}}

// judgement is how much a text settles, whether it takes something back, and whether it consists of questions.
type judgement struct {
	settles  float64
	reverses bool
	asks     bool
}

// maxRemembered is about the number of messages in a thousand sessions, with some 40 bytes each.
const maxRemembered = 65_536

// settles returns how much a message looks as if it settled something: 0 = not at all.
func settles(text string) float64 { return judgementOf(text).settles }

// reverses reports whether a message changes or takes back what applied before.
func reverses(text string) bool { return judgementOf(text).reverses }

// onlyAsks reports whether a message consists of questions, so that it settles nothing.
func onlyAsks(text string) bool { return judgementOf(text).asks }

func judgementOf(text string) judgement {
	key := maphash.String(remembered.seed, text)
	remembered.Lock()
	j, ok := remembered.judged[key]
	remembered.Unlock()
	if ok {
		return j
	}
	own, said := cuesOf(text), typed(text)
	j = judgement{own.judge(said), own.reverses(said), allQuestions(sentences(said))}
	remembered.Lock()
	defer remembered.Unlock()
	if len(remembered.judged) >= maxRemembered {
		clear(remembered.judged)
	}
	remembered.judged[key] = j
	return j
}

// judge adds up the signs in the sentences that settle something: a question next to a rule does not weaken the rule.
func (c *cues) judge(said string) float64 {
	var kept []string
	for _, s := range sentences(c.of(said)) {
		if asked := weigh(c.ask, s, 1); asked == 0 || weigh(c.settle, s, 1)+asked > 0 {
			kept = append(kept, s)
		}
	}
	return weigh(c.settle, strings.Join(kept, "\n"), maxCue)
}

// weigh adds up the weights of the signs in a text. Each counts at most that often, the second time less.
func weigh(cues []cue, text string, most int) (sum float64) {
	for _, c := range cues {
		sum += c.weight * math.Sqrt(float64(len(c.pattern.FindAllStringIndex(text, most))))
	}
	return sum
}

// maxAnswer is the maximum number of words of an answer that cannot be understood without its question.
const maxAnswer = 6

// answers reports whether a message is short and accepts a proposal, or follows a question: together with the message
// before it, it settles something.
func answers(text, before string) bool {
	if len(strings.Fields(text)) > maxAnswer || strings.HasPrefix(text, "/") || strings.HasPrefix(text, "@") {
		return false
	}
	return accepts(text) || !asksBack(text) && asksAnything(before)
}

// asksAnything reports whether a message has a question. A question mark in code, as in `a?.b`, is none.
func asksAnything(text string) bool {
	return slices.ContainsFunc(sentences(prose(text)), func(s string) bool {
		s = strings.TrimRight(s, afterQuestion)
		return strings.HasSuffix(s, "?") || strings.HasSuffix(s, "？")
	})
}

// fenced matches a block of code.
var fenced = lazyregexp.New("(?s)```.*?(?:```|$)")

// prose returns a text without its blocks of code, unless there is nothing else.
func prose(text string) string {
	if !strings.Contains(text, "```") {
		return text
	}
	return cmp.Or(strings.TrimSpace(fenced.ReplaceAllString(text, " ")), text)
}

// accepts reports whether a message accepts a proposal.
func accepts(text string) bool {
	c := cuesOf(text)
	return c.accepts.MatchString(c.of(text))
}

// reversing returns the part of a message that takes something back: the sentences that say so, and those next to them.
func reversing(text string) string {
	own := cuesOf(text)
	all := sentences(typed(text))
	keep := make([]bool, len(all)+2) // sentence i is at i+1, so that its neighbours are always valid indices
	for i, s := range all {
		if own.reverses(s) {
			keep[i], keep[i+1], keep[i+2] = true, true, true
		}
	}
	var kept []string
	for i, s := range all {
		if keep[i+1] {
			kept = append(kept, s)
		}
	}
	return strings.Join(kept, "\n")
}
