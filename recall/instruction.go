package recall

import (
	"strings"
	"unicode"

	"keepmum/lazyregexp"
)

// instruction matches text that speaks to a model rather than about the work.
// A title or an answer may repeat what stood in a web page, a file or a file
// name; told as memory it would come with the user's authority. It errs on the
// side of holding back: what is held back can still be searched for.
var instruction = lazyregexp.New(`(?i)` + strings.Join([]string{
	`\b(?:ignore|disregard|forget|override|bypass)\b.{0,40}\b(?:previous|prior|above|earlier|all|any|your|the|system)\b.{0,40}\b(?:instruction|prompt|rule|message|guideline|context|polic)`,
	`\b(?:new|updated|real|following|hidden)\s+(?:system\s+)?instructions?\b\s*[:>]`,
	`\byou (?:are now|must now|should now|will now)\b`,
	`\b(?:do not|don't|never) (?:tell|inform|mention|reveal)\b.{0,30}\b(?:the )?(?:user|human|developer)`,
	`\bwithout (?:asking|telling|informing) (?:the )?(?:user|human)`,
	`(?:^|[\s"'(])(?:system|assistant|developer|human|user)\s*:\s`,
	`<\/?\s*(?:system|assistant|developer|instructions?|important|tool_result|function_calls?|invoke)\b`,
	`\[/?(?:INST|SYSTEM)\]|<\|im_(?:start|end)\|>|<<SYS>>`,
	`\b(?:jailbreak|DAN mode|developer mode enabled)\b`,
	`\b(?:run|execute|curl|wget|send|upload|post|exfiltrate)\b.{0,60}\b(?:secret|credential|token|password|api key|\.env|ssh key)s?\b.{0,40}\bto\b`,
}, "|"))

// SpeaksToAModel reports whether a text looks like an instruction, read as it
// is shown and as it is without characters that nobody sees.
func SpeaksToAModel(s string) bool {
	return instruction.MatchString(s) || instruction.MatchString(visible(s))
}

// visible drops what has no shape of its own: zero-width characters, joiners,
// marks that turn the direction of text, and control characters but for space.
func visible(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Cf, r) || unicode.IsControl(r) && !unicode.IsSpace(r) || unicode.Is(unicode.Variation_Selector, r) {
			return -1
		}
		return r
	}, s)
}
