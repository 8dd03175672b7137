package recall

import (
	"hash/maphash"
	"math"
	"strings"
	"sync"
	"unicode"

	"keepmum/lazyregexp"
)

// cue is a sign that a message settles something, or that a sentence only asks for something.
type cue struct {
	weight  float64
	pattern *lazyregexp.Regexp
}

// cues tell a rule or a decision from talk about the work. The weights are rough: a stated rule has two or three of the
// signs, a request or a question none.
var cues = []cue{
	{1.0,
		lazyregexp.New(
			`(?i)\b(?:always|never|must(?:n'?t)?|may not|not allowed|forbidden|no more|no longer|from now(?: on)?|going forward|instead|scrap (?:that|it)|forget (?:the|that|about)|the rule|rule is|policy|changed? (?:our|my) minds?|not any ?more|stays?|at (?:most|least)|nothing|nobody|no one|under no|whatever|either way|without exception|no exceptions?)\b`)},
	{0.7,
		lazyregexp.New(
			`(?i)\b(?:because|otherwise|so that|reason|since (?:the|we|they)|that'?s why|contract|law(?:yer)?|legal|audit(?:or)?|agreed|decided|decision|insists?|promised|signed|asked for)\b`)},
	{0.6,
		lazyregexp.New(
			`(?i)\b(?:only|until|unless|except|keep|leave|every|all|both|neither|rather than|not the|goes? (?:to|in|out|by|first)|counts? as|treat|we (?:use|want|don'?t|do not|need|go|take)|should|has to|have to|don'?t|do not|no)\b`)},
	{0.5,
		lazyregexp.New(
			`\b\d+(?:[.,:]\d+)?\s?(?:%|[a-zA-Z]{1,9}\b)|\b\d{1,2}:\d{2}\b|\b[a-z0-9]+(?:_[a-z0-9]+)+\b|\b[a-z]+[A-Z]\w*\b|\b[A-Z]{2,}(?:_[A-Z0-9]+)+\b`)},
}

// asking are signs that a sentence asks a question or requests some work.
var asking = []cue{
	{-1.0, lazyregexp.New(`\?\s*$`)},
	{-0.8, lazyregexp.New(`(?i)^(?:(?:ok|so|and|hi|hello|hey|now|also|next|right|hmm|good|great|thanks|morning)\b[,.!: ]*)*(?:why|what|how|where|who|which|can (?:you|we|i)|could you|is (?:it|there|that|this)|are (?:there|we)|does|do (?:we|you)|did|have a look|look at|show|explain|run|check|find|tell me|i have a question)\b`)},
	{-0.8, lazyregexp.New(`(?i)(?:^|[.!?,\n]\s)(?:is|are|does|do|did|can|could|what'?s?|why|how|where|who|which|should|shall)\b[^.!?,\n]*\s*$`)},
	{-0.6, lazyregexp.New(`(?i)\b(?:please (?:check|find|look|add|implement|prepare|fix|write|make|only)|complain\w*|can you|could you|what can|have a look)\b`)},
}

// maxCue limits what one kind of sign adds.
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
	seed  maphash.Seed
	score map[uint64]judgement
}{seed: maphash.MakeSeed(), score: map[uint64]judgement{}}

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
	score, ok := remembered.score[key]
	remembered.Unlock()
	if ok {
		return score
	}
	score = judgement{judge(text), reversal.MatchString(typed(text)), allQuestions(sentences(typed(text)))}
	remembered.Lock()
	defer remembered.Unlock()
	if len(remembered.score) >= maxRemembered {
		clear(remembered.score)
	}
	remembered.score[key] = score
	return score
}

// judge adds up the signs in the sentences that settle something: a question next to a rule does not weaken the rule.
func judge(text string) float64 {
	var kept []string
	for _, s := range sentences(typed(text)) {
		if asked := weigh(asking, s, 1); asked == 0 || weigh(cues, s, 1)+asked > 0 {
			kept = append(kept, s)
		}
	}
	return weigh(cues, strings.Join(kept, "\n"), maxCue)
}

// weigh adds up the weights of signs, each of which counts at most a number of times, the second time less.
func weigh(cues []cue, text string, most int) (sum float64) {
	for _, c := range cues {
		sum += c.weight * math.Sqrt(float64(len(c.pattern.FindAllStringIndex(text, most))))
	}
	return sum
}

// maxAnswer is the maximum number of words of an answer that cannot be understood without its question.
const maxAnswer = 6

// accepted matches how a user accepts a proposal.
var accepted = lazyregexp.New(`(?i)^(?:(?:yes|yep|yeah|aye|ja|ok(?:ay)?|agreed|exactly|right|perfect|good)[,.! ]+)?(?:(?:do|use|take|go (?:with|for)|let'?s (?:do|go with|take)) )?(?:that|this|it|the (?:first|second|third|last|former|latter)(?: one)?|option \w+|agreed|exactly|yes|yep|yeah|aye|ok(?:ay)?|perfect|go|do it)(?:[,.!]+(?: .*)?| it)?$`)

// answers reports whether a message is short and picks one of the things, or the thing, that the message before it
// proposes: together they settle something.
func answers(text, before string) bool {
	return len(strings.Fields(text)) <= maxAnswer && (strings.Contains(before, "?") || accepted.MatchString(text))
}

// reversal matches how something is changed or taken back.
var reversal = lazyregexp.New(
	`(?i)\b(?:instead|no longer|not any ?more|any ?more|from now(?: on)?|going forward|forget (?:the|that|about|what)|scrap|chang(?:ed|ing) (?:our|my) minds?|take (?:that|it) back|drop (?:the|that|this)|was wrong|withdr(?:aw|awn|ew)|abolish\w*|revert(?:ed)?|revok\w+|supersed\w+|replaces?|amend\w*|no (?:more )?(?:rule|limit)|the old (?:rule|number|one|way|value|limit))\b`)

// reversing returns the part of a message that takes something back: the sentences that say so, and those next to them.
func reversing(text string) string {
	all := sentences(typed(text))
	keep := make([]bool, len(all)+2) // sentence i is at i+1, so that its neighbours are always valid indices
	for i, s := range all {
		if reversal.MatchString(s) {
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
