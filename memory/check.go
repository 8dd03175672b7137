package memory

import (
	"strings"
	"unicode/utf8"

	"keepmum/lazyregexp"
)

// Reason is a stable code that says why something was done or not done.
type Reason string

// Reasons to reject a candidate.
const (
	BadPrimitive  Reason = "bad_primitive"
	LowConfidence Reason = "low_confidence"
	ShortTitle    Reason = "short_title"
	ShortBody     Reason = "short_body"
	BodyIsTitle   Reason = "body_repeats_title"
	Placeholder   Reason = "placeholder"
	SpeaksToModel Reason = "speaks_to_model" // an instruction, not a fact
	SessionOnly   Reason = "session_only"    // of no use after the session
	ToldByCode    Reason = "told_by_code"    // the code or git already says it
)

// Requirements of a memory.
const (
	minConfidence = 0.5
	MinTitle      = 10 // characters
	MinBody       = 50
	MaxTitle      = 1000 // of what is written from now on; older files may have more
)

// Check reports whether a candidate may become a memory, whoever proposed it, and if not, why.
func Check(c Candidate) (Reason, bool) {
	title, body := line(c.Title), strings.TrimSpace(c.Body.String())
	switch {
	case !c.wellFormed():
		return BadPrimitive, false
	case !(c.Confidence >= minConfidence && c.Confidence <= 1): // NaN fails both comparisons
		return LowConfidence, false
	case isPlaceholder(title), isPlaceholder(body) && !(c.Kind == Fact && body == ""):
		return Placeholder, false
	case utf8.RuneCountInString(title) < MinTitle:
		return ShortTitle, false
	case c.Kind != Fact && utf8.RuneCountInString(body) < MinBody:
		return ShortBody, false
	case c.Kind != Fact && repeats(title, body):
		return BodyIsTitle, false
	case toModel.MatchString(title + "\n" + body):
		return SpeaksToModel, false
	case c.Told: // "we are going to use …", said by the user, is a plan
		return "", true
	}
	return lasting(title, body)
}

// lasting checks that what the user did not say explicitly is useful after the session and says something that the code
// does not.
func lasting(title, body string) (Reason, bool) {
	switch {
	case passing.MatchString(title), passing.MatchString(firstSentence(body)):
		return SessionOnly, false
	case toldByCode(title, body):
		return ToldByCode, false
	}
	return "", true
}

// wellFormed reports whether a candidate has a known primitive and kind.
func (c Candidate) wellFormed() bool {
	return c.Primitive.dir() != "" && c.Kind.Known() && c.Outcome.known() && (c.Primitive != Decision || c.Kind == "")
}

// unfit says why the body of a memory in an older tree is not acceptable; "" = it is. One short sentence was enough
// there; it is not for [Check].
func unfit(kind Kind, title, body string) string {
	switch body := strings.TrimSpace(body); {
	case kind == Fact && !isPlaceholder(title):
		return ""
	case isPlaceholder(title) || isPlaceholder(body):
		return "it is a placeholder"
	case len(strings.Fields(body)) < 3:
		return "its body has fewer than three words"
	case repeats(title, body):
		return "its body only repeats the title"
	}
	return ""
}

// repeats reports whether a body says no more than the title.
func repeats(title, body string) bool {
	said, words := bag{}, bag{}
	said.add(title, 1)
	words.add(body, 1)
	return len(without(words, said)) == 0
}

// isPlaceholder reports whether a text is a placeholder that someone left or the gate put in.
func isPlaceholder(s string) bool {
	s = strings.TrimSpace(gateMark.ReplaceAllString(s, ""))
	return s == "" || filler.MatchString(s)
}

func firstSentence(body string) string {
	if all := pieces(body); len(all) > 0 {
		return all[0]
	}
	return ""
}

// toldByCode reports whether a text only says what was changed, without a reason: that is what git is for.
func toldByCode(title, body string) bool {
	return (change.MatchString(title) || change.MatchString(body)) && !reasoning.MatchString(title+" "+body)
}

var (
	gateMark = lazyregexp.New(`\[(?:REDACTED|EXCLUDED|WITHHELD|CUT):[^\]]*\]|\[PRIVATE\]`)
	filler   = lazyregexp.New(
		`(?i)^\W*(?:to ?do|tbd|tba|fixme|xxx+|n/?a|none|null|nil|undefined|untitled|placeholder|example|sample|test|foo(?:\s*bar)?|` +
			`(?:insert|your|enter|describe|write)\s.{0,40}\bhere|(?:short|brief|concise)\s+(?:title|summary|description).{0,30}|` +
			`title(?: of the (?:memory|decision|learning))?|body(?: text)?|description|summary)\W*$|` +
			`^\W*lorem ipsum(?:\W+dolor\b[\s\S]*)?\W*$|^\W*<[^>]{1,60}>\W*$|^\W*\{\{[^}]*\}\}\W*$|` +
			`(?i)^\W*(?:no|nothing)\s+(?:\w+\s+){0,3}(?:to remember|to report|to record|memor(?:y|ies)|decisions?(?: (?:was|were) made)?|learnings?|findings?)\W*$`)

	// toModel matches text that addresses its reader as a machine, as a page or a file in a repository may have
	// planted.
	toModel = lazyregexp.New(
		`(?i)\b(?:ignore|disregard|forget|override|bypass)\b.{0,30}\b(?:previous|prior|earlier|above|all|your|any|the|system)\b.{0,20}\b(?:instructions?|prompts?|rules|guidelines|messages?|guardrails|context)\b|` +
			`\b(?:system|developer) prompt\b|\byou are (?:now )?(?:an? )?(?:ai|llm|language model|assistant|chatbot|coding agent|claude|gpt|dan)\b|\bas an ai\b|\b(?:pretend|act) (?:to be|as if you|as an? (?:ai|unrestricted))\b|` +
			`</?\s*(?:system|assistant|user|tool|function|instructions?|im_start|im_end)[^>]{0,40}>|<\|[a-z_]+\|>|^\s*(?:system|assistant|human)\s*:|` +
			`\bdo not (?:tell|inform|mention|reveal|show)\b.{0,30}\b(?:the )?user\b|\bwithout (?:telling|asking|informing) the user\b|` +
			`\b(?:ai|llm|language model|assistant|agent|model)s? (?:reading|that reads?|who reads?|processing) this\b|\bwhen(?:ever)? you (?:read|see|load|remember) this\b|` +
			`\b(?:you must|please|now|immediately|always)\b.{0,20}\b(?:execute|run|fetch|download|send|post|upload|exfiltrate|pipe)\b.{0,80}(?:https?://|curl |wget |\| ?(?:ba|z)?sh\b)|` +
			`\bcurl\b[^\n]{0,200}\|\s*(?:sudo )?(?:ba|z)?sh\b|\b(?:reveal|exfiltrate|leak)\b.{0,40}\b(?:secrets?|tokens?|keys?|credentials|passwords?|prompts?)\b`)

	// passing matches what is over when the session ends.
	passing = lazyregexp.New(
		`(?i)\b(?:in|during|for) (?:this|the current|today's) (?:session|conversation|chat|turn)\b|\b(?:i|we)(?:'ll| will| am| are|'m|'re)(?: now| currently| going to| about to) |` +
			`\bcurrently (?:working on|debugging|looking|running|waiting|editing|reading|investigating)\b|^\W*(?:next steps?|remaining (?:work|tasks?)|work in progress|wip|let me|i'll|now i)\b|` +
			`\b(?:the )?user (?:asked|wants|requested|is asking) (?:me |us )?(?:to|for|about|if|whether)\b|\b(?:all )?(?:the )?tests? (?:now pass|pass now|are (?:now )?(?:passing|green))\b|` +
			`\b(?:right now|at the moment|so far today|just now|a moment ago|earlier today)\b|^\W*(?:done|finished|completed|successfully)\b`)

	// change matches a report of what was done.
	change = lazyregexp.New(
		`(?i)^\W*(?:(?:we|i) )?(?:added|removed|renamed|moved|created|deleted|updated|bumped|refactored|extracted|implemented|introduced|replaced|fixed|changed|modified|edited|wrote|committed|merged|formatted|cleaned up)\b|` +
			`^\W*(?:the )?(?:file|function|class|method|struct|module|package|component|interface)\s+\S+\s+(?:is|has|contains|defines|exports|implements|returns|takes|lives|lies|imports)\b|` +
			`^\W*(?:commit [0-9a-f]{7,}|merged? (?:branch|pull request|pr))\b|^\W*\S+\.\w{1,5}\s+(?:contains|defines|exports|imports|has)\b`)

	// reasoning matches what neither the code nor git says.
	reasoning = lazyregexp.New(
		`(?i)\b(?:because|since|so that|so as to|therefore|due to|reason|why|in order to|otherwise|or else|instead of|rather than|to avoid|to prevent|must|never|always|should|prefer|cannot|can't|root cause|turned out|caused|led to|despite|although|unless|beware|only (?:when|if|after|works)|fails? (?:when|if|on|with)|breaks?|trade-?off|decided|as .{3,40} (?:needs?|requires?|expects?|asks?))\b|:\s+\w`)
)
