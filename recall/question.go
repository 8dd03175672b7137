package recall

import (
	"slices"
	"strings"

	"keepmum/lazyregexp"
)

const opener = `(?i)^(?:(?:ok|so|and|but|hi|hello|hey|also|hmm|wait)\b[,.!: ]*)*`

// unmarked matches a question without a question mark. A statement may follow a comma or a colon, and "is the wrong
// port" may be one.
var unmarked = lazyregexp.New(opener + `(?:(?:why (?:is|are|does|do|did|was|were|has|have)|how come|(?:is|are|does) (?:there|this|that|these|those|we|they|every|any)|is it|do (?:we|i|they))\b)[^,;:]*$`)

// interrogative matches how a question begins, asksWhat the kind that is no request, suggesting a proposal in its form,
// and assents what is more than a question: "yes, at most 3, but where is it logged?".
var (
	interrogative = lazyregexp.New(opener + `(?:why|what|how|where|who|whose|which|when|is|are|was|were|does|did|has|have|can|could|should|shall|do (?:you|we|i|they))\b`)
	asksWhat      = lazyregexp.New(opener + `(?:why|what|how|where|who|whose|which)\b`)
	suggesting    = lazyregexp.New(opener + `(?:why not|(?:what|how) about)\b`)
	assents       = lazyregexp.New(`(?i)^(?:yes|yep|yeah|sure|agreed|exactly|ja|klar|genau|sí|claro|oui)\b`)
)

// asksBack reports whether a question begins as one: "why is it 5?". "Sure, why not?" and "5?" may be answers.
func asksBack(text string) bool {
	return interrogative.MatchString(text) && !suggesting.MatchString(text)
}

// confirmed matches the end of a statement that only asks whether it was understood: "…, ok?".
var confirmed = lazyregexp.New(`(?i)[,.;:!–—-]\s*¿?(?:right|ok(?:ay)?|yes|no|correct|agreed|deal|clear|understood|got it|please|isn'?t it|oder|gell|ne|nicht wahr|klar|verstanden|einverstanden|vale|verdad|claro|d'accord|hein|non|n'est-ce pas|va bene|capito)\s?\?+$`)

// requests matches a request in the form of a question: "could you add a dark mode?", "can we never push to main?".
var requests = lazyregexp.New(`(?i)\b(?:(?:can|could|would|will) you|kannst du|könntest du|könnt ihr|können sie|könnten sie|puedes|podrías|podría usted|peux-tu|tu peux|pourrais-tu|pouvez-vous|pourriez-vous)\b|\b(?:can|could|would|will) we\b.*\b(?:always|never|stop|from now on|going forward|no longer|instead)\b`)

// wantsToKnow matches a question in that form that asks for an explanation.
var wantsToKnow = lazyregexp.New(`(?i)\b(?:can|could|would|will) (?:you|we) (?:(?:please|also|just|quickly|maybe) )*(?:(?:tell|say|explain|show|confirm|remember|think|know|see)\b|(?:check|find out|look|verify)\b.*\b(?:if|whether)\b)|\b(?:kannst|könntest) du\b.*\b(?:sagen|erklären|zeigen)\b|\b(?:puedes|podrías) (?:decir|explicar|mostrar)|\b(?:peux-tu|tu peux|pourrais-tu) (?:me |m')?(?:dire|expliquer|montrer)\b`)

// ruleWords match what states a rule.
var ruleWords = lazyregexp.New(`(?i)\b(?:always|never|must|only|because|instead|agreed|from now on)\b`)

// statesRule reports whether a question only follows a rule: "we never push to main, don't we?"
func statesRule(text string) bool {
	return !asksBack(text) && ruleWords.MatchString(text[:max(strings.LastIndexAny(text, ",;:("), 0)])
}

// afterQuestion are characters that may follow the question mark.
const afterQuestion = " \t\"'”’»)]*_`"

// isQuestion reports whether a sentence asks something and states nothing.
func isQuestion(sentence string) bool {
	s := strings.TrimRight(sentence, afterQuestion)
	marked := strings.HasSuffix(s, "?") || strings.HasSuffix(s, "？") || strings.HasSuffix(s, "؟")
	switch {
	case !marked:
		return unmarked.MatchString(s)
	case confirmed.MatchString(s), assents.MatchString(s):
		return false
	}
	return !requests.MatchString(s) || wantsToKnow.MatchString(s) || asksWhat.MatchString(s)
}

// allQuestions reports whether there are sentences, and all are questions.
func allQuestions(sentences []string) bool {
	return len(sentences) > 0 && !slices.ContainsFunc(sentences, func(s string) bool { return !isQuestion(s) })
}
