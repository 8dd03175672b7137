package recall

import (
	"strings"

	"keepmum/lazyregexp"
)

// instruction matches text that speaks to a model rather than about the work.
// A title or an answer may repeat what stood in a web page, a file or a file
// name; told as memory it would come with the user's authority. It errs on the
// side of holding back: what is held back can still be searched for.
var instruction = lazyregexp.New(`(?i)` + strings.Join([]string{
	// Away with what was said before.
	`\b` + discard + `\b.{0,30}\b(?:previous|prior|above|earlier|preceding|your|initial|original|system|all)\b.{0,25}\b(?:instructions?|guidelines|directives|system (?:prompt|message))`,
	`\b` + discard + `\b.{0,30}\b(?:previous|prior|above|earlier|preceding|your|system|safety)\b.{0,20}\b(?:prompts?|rules|polic(?:y|ies)|messages|context|restrictions|constraints|guardrails|safeguards)\b`,
	`\b(?:previous|prior|above|earlier|your) (?:instructions?|prompts?|guidelines|rules) (?:are|is|have been|were) (?:now )?(?:void|obsolete|cancell?ed|revoked|superseded|no longer|invalid|replaced)`,
	`\b(?:new|updated|real|following|hidden|important|urgent)\s+(?:system\s+)?instructions?\b\s*[:>]`,
	`\b(?:new|updated) (?:system )?(?:directive|prompt|orders?)\s*:`,
	// Another role.
	`\byou are (?:now|no longer) (?:an? (?:[\w-]+ ){0,3}(?:assistant|agent|ai|model|bot|hacker|admin|developer|pirate)|acting|operating|free|unrestricted|jailbroken|DAN|bound|in (?:developer|debug|admin|maintenance|god|unrestricted|root))\b`,
	`\byou (?:must|should|will|shall) (?:now |henceforth )(?:ignore|obey|follow|act|run|execute|send|reveal|delete|respond|reply|forget)\b`,
	`\bfrom now on,? (?:you (?:are|will (?:be|act|obey))|act as|behave as|respond only|reply only)\b`,
	`\bDAN mode\b|\b(?:enter|enable|activate) (?:developer|debug|god|admin|unrestricted) mode\b.{0,60}\b(?:no|without|ignore|unrestricted|disable[sd]?)\b`,
	`\bpretend (?:to be|you are|that you)\b.{0,40}\b(?:ai|assistant|model|restrictions|unrestricted|admin|root)\b`,
	// Addressed to a model.
	`\b(?:attention|note to|message to|notice to|hey|dear),?\s+(?:all |any |the )?(?:ais?|llms?|language models?|ai (?:assistants?|agents?|models?)|assistants?|coding (?:assistants?|agents?)|claude(?: code)?|codex|cursor|copilot|chatgpt)\b\s*[:,!.—-]`,
	`\b(?:if you are|when you are|as) an? (?:ai|llm|large language model|language model|ai assistant|ai agent|coding agent|coding assistant)\b,?.{0,60}\b(?:you|must|should|ignore|run|send|do not|please)\b`,
	`\b(?:ai|llm|ai (?:assistants?|agents?)|language models?|coding agents?|assistants?) (?:reading|processing|summari[sz]ing|parsing) this\b`,
	// Behind the user's back, or in the user's name.
	`\b(?:do not|don't|never|must not) (?:tell|inform)\s+(?:the |your )?(?:user|human|developer|operator|owner)\b`,
	`\b(?:do not|don't|never|must not) (?:mention|reveal|disclose|show|report|notify|warn)\b.{0,30}\b(?:this|that|it|these|any of)\b.{0,20}\b(?:user|human|developer|operator)\b`,
	`\bas (?:the|your) (?:user|human|owner|developer) (?:has |already |previously |just )*(?:said|asked|told you|instructed|approved|confirmed|requested)\b.{0,40}(?:\byou (?:may|must|should|can|are)\b|\bwithout (?:asking|confirm|approval|permission)|,\s*(?:please )?(?:run|execute|send|upload|delete|push|disable|always|never|fetch|install)\b)`,
	`\bthe (?:user|human|owner|developer) (?:has |already |previously )*(?:pre-?)?(?:approved|authori[sz]ed|granted|consented to|allowed)\b.{0,30}\b(?:all|any|every|full|further)\b.{0,30}\b(?:commands?|actions?|tools?|access|permissions?|requests?|operations?)\b`,
	// Markers of another speaker.
	`(?:^|["'“(]|[.!?;:*]\s+|#\s*)(?:system|assistant|developer|human)\s*:\s`,
	`</?\s*(?:system|assistant|developer|instructions?|(?-i:important|IMPORTANT)|tool_(?:result|use|call)|function_(?:calls?|results?)|invoke|human)(?:[-_](?:reminder|prompt|message|instructions?|note))?(?:\s[^<>]{0,80})?/?>`,
	`\[/?(?:INST|SYSTEM|SYS|ASSISTANT)\]|<\|/?(?:im_(?:start|end)|system|user|assistant|endoftext|eot_id|start_header_id)\|>|<<SYS>>`,
	`(?-i:(?:BEGIN|END|START) (?:OF )?(?:CONTEXT|SYSTEM|PROMPT|INSTRUCTIONS|USER|MEMORY|TOOL OUTPUT)\b)`,
	// Data out, code in.
	`\b(?:curl|wget|send|upload|post|exfiltrate|forward|e-?mail|print|paste|cat)\b.{0,60}(?:\b(?:secret|credential|token|password|api key|ssh key|environment variable|private key)s?\b|\.env\b|id_rsa|\.ssh\b|\.aws\b).{0,60}(?:\bto\b|>|\||@).{0,20}(?:https?://|[\w-]+\.(?:com|net|org|io|dev|xyz|ru|cn|sh|example|test)\b|@|\bnc\b)`,
	`\b(?:run|execute|paste)\b.{0,30}\b(?:curl|wget)\b.{0,120}\|\s*(?:sudo )?(?:ba|z)?sh\b`,
	`!\[[^\]]*\]\(\s*https?://[^)\s]*[?&][\w-]*=(?:[\[{<$%]|(?-i:[A-Z][A-Z_]{3,}))`,
	`\]\(\s*(?:javascript|vbscript|data):`,
	// The same in other languages, nouns before and after.
	`\b(?:ignorier|missacht|vergiss|vergesst|verwirf|übergeh)\w*\b.{0,40}\b(?:vorherig|bisherig|obig|früher|vorangegangen|alle|deine)\w*.{0,30}(?:anweisung|instrukt|regel|vorgabe|befehl|prompt)`,
	`(?:sag|sage|verrate|erzähl|erzähle) (?:es )?(?:dem|der) (?:nutzer|benutzer|anwender)\w* (?:nichts|nicht|kein)`,
	`\b(?:ignore[rsz]?|oublie[rsz]?|fai(?:s|tes) abstraction|ne ten(?:ez|ir) pas compte|ne tiens pas compte)\b.{0,40}(?:instruction|consigne|r[eè]gle|directive)s?\b`,
	`\bne (?:le )?(?:dis|dites|parle|parlez|r[ée]v[èe]le[zr]?)\b.{0,20}(?:à|a) l['’]utilisateur`,
	`\b(?:ignora|ignore|ignorad|olvida|olvide|descarta|haz caso omiso)\b.{0,40}(?:instrucciones|indicaciones|reglas|[oó]rdenes|directrices)`,
	`\bno (?:le )?(?:digas|diga|reveles|menciones)\b.{0,30}\busuario`,
	`\b(?:ignora|ignore|dimentica|esque[cç]a|desconsidere)\b.{0,40}(?:istruzioni|regole|instru[cç][oõ]es|regras)`,
	`(?:игнорируй|проигнорируй|забудь|не обращай внимания|отмени|не учитывай).{0,40}(?:инструкци|указани|правил|команд|промпт)`,
	`не (?:говори|сообщай|рассказывай).{0,30}пользовател`,
	`(?:忽略|无视|無視|忘记|忘掉|忽视|不要理会|不用管).{0,12}(?:指令|指示|提示|规则|規則|命令|说明)`,
	`(?:不要|别|勿)(?:告诉|通知|提醒|透露).{0,6}(?:用户|使用者)`,
	`(?:以前|これまで|上記|前|すべて).{0,8}(?:指示|命令|ルール|プロンプト).{0,6}(?:無視|忘れ)`,
}, "|"))

const discard = `(?:ignore|ignoring|disregard|forget|override|bypass|stop following|pay no attention to|do not follow|don't follow|discard)`

// unasked is an instruction unless it is forbidden: "never deploy without
// asking the user" is what a careful user says.
var (
	unasked   = lazyregexp.New(`(?i)\bwithout (?:asking|telling|informing|notifying) (?:the )?(?:user|human|developer)\b`)
	forbidden = lazyregexp.New(`(?i)\b(?:never|not|nothing|no|don't|won't|can't|cannot|mustn't|forbid\w*|refuse\w*)\b`)
)

// letters matches the same with all that is not a letter taken out, as where
// the letters are set apart or joined by other signs in a file name.
var letters = lazyregexp.New(`(?:ignore|disregard|forget|override)(?:all|any|the|your|of|and)*(?:previous|prior|above|earlier|preceding)(?:instruction|prompt|guideline|rules|directive)`)

// SpeaksToAModel reports whether a text looks like an instruction in any of
// the forms in which a reader, or a model, would take it.
func SpeaksToAModel(s string) bool {
	for _, form := range forms(s) {
		if instruction.MatchString(form) || letters.MatchString(onlyLetters(form)) || isUnasked(form) {
			return true
		}
	}
	return hidesText(s)
}

func isUnasked(s string) bool {
	at := unasked.FindStringIndex(s)
	return at != nil && !forbidden.MatchString(s[max(0, at[0]-80):at[0]])
}
