package recall

import (
	"slices"
	"strings"

	"keepmum/lazyregexp"
)

// unmarked matches how a question begins that has no question mark. "Do the …" and "does not matter" are none.
var unmarked = lazyregexp.New(`(?i)^(?:(?:ok|so|and|but|hi|hello|hey|also|hmm|wait)\b[,.!: ]*)*(?:why (?:is|are|does|do|did|was|were|has|have)|how come|(?:is|are|was|does|did|has) (?:the|an?|it|there|this|that|these|those|we|i|they|our|my|every|any|all)|do (?:we|i|they))\b`)

// confirmed matches the end of a statement that only asks whether it was understood: "…, ok?".
var confirmed = lazyregexp.New(`(?i)[,.;:!–—-]\s*¿?(?:right|ok(?:ay)?|yes|no|correct|agreed|deal|clear|understood|got it|please|isn'?t it|oder|gell|ne|nicht wahr|klar|verstanden|einverstanden|vale|verdad|claro|d'accord|hein|non|n'est-ce pas|va bene|capito)\s?\?+$`)

// politely matches a rule in the form of a question: "could you never push to main, please?".
var politely = lazyregexp.New(`(?i)\b(?:can|could|would|will) (?:you|we)\b.*\b(?:always|never|stop|from now on|going forward|no longer|instead)\b`)

// wantsToKnow matches a question in that form that asks for an explanation.
var wantsToKnow = lazyregexp.New(`(?i)\b(?:can|could|would|will) (?:you|we) (?:please )?(?:tell|say|explain|show|check|find|see|look|verify|confirm)\b`)

// afterQuestion are characters that may follow the question mark.
const afterQuestion = " \t\"'”’»)]*_`"

// isQuestion reports whether a sentence asks something and states nothing.
func isQuestion(sentence string) bool {
	s := strings.TrimRight(sentence, afterQuestion)
	marked := strings.HasSuffix(s, "?") || strings.HasSuffix(s, "？") || strings.HasSuffix(s, "؟")
	switch {
	case !marked:
		return unmarked.MatchString(s)
	case confirmed.MatchString(s):
		return false
	}
	return !politely.MatchString(s) || wantsToKnow.MatchString(s)
}

// allQuestions reports whether there are sentences, and all are questions.
func allQuestions(sentences []string) bool {
	return len(sentences) > 0 && !slices.ContainsFunc(sentences, func(s string) bool { return !isQuestion(s) })
}
