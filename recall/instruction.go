package recall

import (
	"slices"
	"strings"

	"keepmum/lazyregexp"
)

// sign is one form of text that addresses a model instead of talking about the work.
type sign struct {
	words   []string // lower case; the pattern cannot match a text without one of them
	pattern *lazyregexp.Regexp
}

// signs are searched for in titles, answers and memories, which may repeat what was in a web page, a file or a file
// name; told as memory, that would carry the user's authority. In doubt a text is withheld; a search still finds it. A
// pattern takes microseconds per word, so it runs only if the text contains one of its words.
var signs = []sign{
	// Ignore what was said before.
	{[]string{"instruct", "guideline", "directive", "system"}, lazyregexp.New(`(?i)` + `\b` + discard + `\b.{0,30}\b(?:previous|prior|above|earlier|preceding|your|initial|original|system|all)\b.{0,25}\b(?:instructions?|guidelines|directives|system (?:prompt|message))`)},
	{[]string{"ignor", "disregard", "forget", "overrid", "bypass", "follow", "pay no", "discard"}, lazyregexp.New(`(?i)` + `\b` + discard + `\b.{0,30}\b(?:previous|prior|above|earlier|preceding|your|system|safety)\b.{0,20}\b(?:prompts?|rules|polic(?:y|ies)|messages|context|restrictions|constraints|guardrails|safeguards)\b`)},
	{[]string{"instruct", "prompt", "guideline", "rules"}, lazyregexp.New(`(?i)\b(?:previous|prior|above|earlier|your) (?:instructions?|prompts?|guidelines|rules) (?:are|is|have been|were) (?:now )?(?:void|obsolete|cancell?ed|revoked|superseded|no longer|invalid|replaced)`)},
	{[]string{"instruction"}, lazyregexp.New(`(?i)\b(?:new|updated|real|following|hidden|important|urgent)\s+(?:system\s+)?instructions?\b\s*[:>]`)},
	{[]string{"directive", "prompt", "order"}, lazyregexp.New(`(?i)\b(?:new|updated) (?:system )?(?:directive|prompt|orders?)\s*:`)},
	// Take another role.
	{[]string{"you are"}, lazyregexp.New(`(?i)\byou are (?:now|no longer) (?:an? (?:[\w-]+ ){0,3}(?:assistant|agent|ai|model|bot|hacker|admin|developer|pirate)|acting|operating|free|unrestricted|jailbroken|DAN|bound|in (?:developer|debug|admin|maintenance|god|unrestricted|root))\b`)},
	{[]string{"you must", "you should", "you will", "you shall"}, lazyregexp.New(`(?i)\byou (?:must|should|will|shall) (?:now |henceforth )(?:ignore|obey|follow|act|run|execute|send|reveal|delete|respond|reply|forget)\b`)},
	{[]string{"from now on"}, lazyregexp.New(`(?i)\bfrom now on,? (?:you (?:are|will (?:be|act|obey))|act as|behave as|respond only|reply only)\b`)},
	{[]string{"mode"}, lazyregexp.New(`(?i)\bDAN mode\b|\b(?:enter|enable|activate) (?:developer|debug|god|admin|unrestricted) mode\b.{0,60}\b(?:no|without|ignore|unrestricted|disable[sd]?)\b`)},
	{[]string{"pretend"}, lazyregexp.New(`(?i)\bpretend (?:to be|you are|that you)\b.{0,40}\b(?:ai|assistant|model|restrictions|unrestricted|admin|root)\b`)},
	// Addressed to a model.
	{[]string{"attention", "note to", "message to", "notice to", "hey", "dear"}, lazyregexp.New(`(?i)\b(?:attention|note to|message to|notice to|hey|dear),?\s+(?:all |any |the )?(?:ais?|llms?|language models?|ai (?:assistants?|agents?|models?)|assistants?|coding (?:assistants?|agents?)|claude(?: code)?|codex|cursor|copilot|chatgpt)\b\s*[:,!.—-]`)},
	{[]string{"if you are", "when you are", "as a"}, lazyregexp.New(`(?i)\b(?:if you are|when you are|as) an? (?:ai|llm|large language model|language model|ai assistant|ai agent|coding agent|coding assistant)\b,?.{0,60}\b(?:you|must|should|ignore|run|send|do not|please)\b`)},
	{[]string{"ing this"}, lazyregexp.New(`(?i)\b(?:ai|llm|ai (?:assistants?|agents?)|language models?|coding agents?|assistants?) (?:reading|processing|summari[sz]ing|parsing) this\b`)},
	// Behind the user's back, or in the user's name.
	{[]string{"tell", "inform"}, lazyregexp.New(`(?i)\b(?:do not|don't|never|must not) (?:tell|inform)\s+(?:the |your )?(?:user|human|developer|operator|owner)\b`)},
	{[]string{"user", "human", "developer", "operator"}, lazyregexp.New(`(?i)\b(?:do not|don't|never|must not) (?:mention|reveal|disclose|show|report|notify|warn)\b.{0,30}\b(?:this|that|it|these|any of)\b.{0,20}\b(?:user|human|developer|operator)\b`)},
	{[]string{"as the", "as your"}, lazyregexp.New(`(?i)\bas (?:the|your) (?:user|human|owner|developer) (?:has |already |previously |just )*(?:said|asked|told you|instructed|approved|confirmed|requested)\b.{0,40}(?:\byou (?:may|must|should|can|are)\b|\bwithout (?:asking|confirm|approval|permission)|,\s*(?:please )?(?:run|execute|send|upload|delete|push|disable|always|never|fetch|install)\b)`)},
	{[]string{"the user", "the human", "the owner", "the developer"}, lazyregexp.New(`(?i)\bthe (?:user|human|owner|developer) (?:has |already |previously )*(?:pre-?)?(?:approved|authori[sz]ed|granted|consented to|allowed)\b.{0,30}\b(?:all|any|every|full|further)\b.{0,30}\b(?:commands?|actions?|tools?|access|permissions?|requests?|operations?)\b`)},
	// Markers of another speaker.
	{[]string{"system", "assistant", "developer", "human"}, lazyregexp.New(`(?i)(?:^|["'“(]|[.!?;:*]\s+|#\s*)(?:system|assistant|developer|human)\s*:\s`)},
	{[]string{"<"}, lazyregexp.New(`(?i)</?\s*(?:system|assistant|developer|instructions?|(?-i:important|IMPORTANT)|tool_(?:result|use|call)|function_(?:calls?|results?)|invoke|human)(?:[-_](?:reminder|prompt|message|instructions?|note))?(?:\s[^<>]{0,80})?/?>`)},
	{[]string{"inst]", "system]", "sys]", "assistant]", "<|", "<<sys>>"}, lazyregexp.New(`(?i)\[/?(?:INST|SYSTEM|SYS|ASSISTANT)\]|<\|/?(?:im_(?:start|end)|system|user|assistant|endoftext|eot_id|start_header_id)\|>|<<SYS>>`)},
	{[]string{"begin ", "end ", "start "}, lazyregexp.New(`(?i)(?-i:(?:BEGIN|END|START) (?:OF )?(?:CONTEXT|SYSTEM|PROMPT|INSTRUCTIONS|USER|MEMORY|TOOL OUTPUT)\b)`)},
	// Send data out, run code.
	{[]string{"secret", "credential", "token", "password", "key", "environment", ".env", "id_rsa", ".ssh", ".aws"}, lazyregexp.New(`(?i)\b(?:curl|wget|send|upload|post|exfiltrate|forward|e-?mail|print|paste|cat)\b.{0,60}(?:\b(?:secret|credential|token|password|api key|ssh key|environment variable|private key)s?\b|\.env\b|id_rsa|\.ssh\b|\.aws\b).{0,60}(?:\bto\b|>|\||@).{0,20}(?:https?://|[\w-]+\.(?:com|net|org|io|dev|xyz|ru|cn|sh|example|test)\b|@|\bnc\b)`)},
	{[]string{"curl", "wget"}, lazyregexp.New(`(?i)\b(?:run|execute|paste)\b.{0,30}\b(?:curl|wget)\b.{0,120}\|\s*(?:sudo )?(?:ba|z)?sh\b`)},
	{[]string{"!["}, lazyregexp.New(`(?i)!\[[^\]]*\]\(\s*https?://[^)\s]*[?&][\w-]*=(?:[\[{<$%]|(?-i:[A-Z][A-Z_]{3,}))`)},
	{[]string{"]("}, lazyregexp.New(`(?i)\]\(\s*(?:javascript|vbscript|data):`)},
	// The same in other languages, with the noun before or after the verb.
	{[]string{"anweisung", "instrukt", "regel", "vorgabe", "befehl", "prompt"}, lazyregexp.New(`(?i)\b(?:ignorier|missacht|vergiss|vergesst|verwirf|übergeh)\w*\b.{0,40}\b(?:vorherig|bisherig|obig|früher|vorangegangen|alle|deine)\w*.{0,30}(?:anweisung|instrukt|regel|vorgabe|befehl|prompt)`)},
	{[]string{"nutzer", "anwender"}, lazyregexp.New(`(?i)(?:sag|sage|verrate|erzähl|erzähle) (?:es )?(?:dem|der) (?:nutzer|benutzer|anwender)\w* (?:nichts|nicht|kein)`)},
	{[]string{"instruction", "consigne", "règle", "regle", "directive"}, lazyregexp.New(`(?i)\b(?:ignore[rsz]?|oublie[rsz]?|fai(?:s|tes) abstraction|ne ten(?:ez|ir) pas compte|ne tiens pas compte)\b.{0,40}(?:instruction|consigne|r[eè]gle|directive)s?\b`)},
	{[]string{"utilisateur"}, lazyregexp.New(`(?i)\bne (?:le )?(?:dis|dites|parle|parlez|r[ée]v[èe]le[zr]?)\b.{0,20}(?:à|a) l['’]utilisateur`)},
	{[]string{"instrucciones", "indicaciones", "reglas", "ordenes", "órdenes", "directrices"}, lazyregexp.New(`(?i)\b(?:ignora|ignore|ignorad|olvida|olvide|descarta|haz caso omiso)\b.{0,40}(?:instrucciones|indicaciones|reglas|[oó]rdenes|directrices)`)},
	{[]string{"usuario"}, lazyregexp.New(`(?i)\bno (?:le )?(?:digas|diga|reveles|menciones)\b.{0,30}\busuario`)},
	{[]string{"istruzioni", "regole", "instruc", "instruç", "regras"}, lazyregexp.New(`(?i)\b(?:ignora|ignore|dimentica|esque[cç]a|desconsidere)\b.{0,40}(?:istruzioni|regole|instru[cç][oõ]es|regras)`)},
	{[]string{"игнорируй", "забудь", "обращай", "отмени", "учитывай"}, lazyregexp.New(`(?i)(?:игнорируй|проигнорируй|забудь|не обращай внимания|отмени|не учитывай).{0,40}(?:инструкци|указани|правил|команд|промпт)`)},
	{[]string{"пользовател"}, lazyregexp.New(`(?i)не (?:говори|сообщай|рассказывай).{0,30}пользовател`)},
	{[]string{"忽略", "无视", "無視", "忘记", "忘掉", "忽视", "不要理会", "不用管"}, lazyregexp.New(`(?i)(?:忽略|无视|無視|忘记|忘掉|忽视|不要理会|不用管).{0,12}(?:指令|指示|提示|规则|規則|命令|说明)`)},
	{[]string{"用户", "使用者"}, lazyregexp.New(`(?i)(?:不要|别|勿)(?:告诉|通知|提醒|透露).{0,6}(?:用户|使用者)`)},
	{[]string{"指示", "命令", "ルール", "プロンプト"}, lazyregexp.New(`(?i)(?:以前|これまで|上記|前|すべて).{0,8}(?:指示|命令|ルール|プロンプト).{0,6}(?:無視|忘れ)`)},
}

const discard = `(?:ignore|ignoring|disregard|forget|override|bypass|stop following|pay no attention to|do not follow|don't follow|discard)`

// unasked matches acting without asking, which is an instruction unless it is forbidden: "never deploy without asking
// the user" is what a careful user says.
var (
	unasked   = lazyregexp.New(`(?i)\bwithout (?:asking|telling|informing|notifying) (?:the )?(?:user|human|developer)\b`)
	forbidden = lazyregexp.New(`(?i)\b(?:never|not|nothing|no|don't|won't|can't|cannot|mustn't|forbid\w*|refuse\w*)\b`)
)

// spaced is searched for in the text without everything that is not a letter, because letters may be spaced out, or
// joined by other characters in a file name.
var spaced = sign{[]string{"ignore", "disregard", "forget", "override"},
	lazyregexp.New(`(?:ignore|disregard|forget|override)(?:all|any|the|your|of|and)*(?:previous|prior|above|earlier|preceding)(?:instruction|prompt|guideline|rules|directive)`)}

// SpeaksToAModel reports whether a text looks like an instruction in any of the forms in which a reader or a model
// would understand it.
func SpeaksToAModel(s string) bool {
	for _, form := range forms(s) {
		low := strings.ReplaceAll(strings.ToLower(form), "ſ", "s") // in patterns, ſ matches s
		hit := func(g sign) bool { return g.in(form, low) }
		if slices.ContainsFunc(signs, hit) || isUnasked(form, low) {
			return true
		}
		if letters := onlyLetters(form); spaced.in(letters, letters) {
			return true
		}
	}
	return hidesText(s)
}

// in reports whether the sign is in a text, which is also given in lower case.
func (g sign) in(s, low string) bool {
	stands := func(word string) bool { return strings.Contains(low, word) }
	return slices.ContainsFunc(g.words, stands) && g.pattern.MatchString(s)
}

func isUnasked(s, low string) bool {
	if !strings.Contains(low, "without") {
		return false
	}
	at := unasked.FindStringIndex(s)
	return at != nil && !forbidden.MatchString(s[max(0, at[0]-80):at[0]])
}
