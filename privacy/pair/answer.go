package pair

import (
	"strings"

	"keepmum/privacy/assign"
	"keepmum/privacy/scan"
	"keepmum/privacy/value"
)

const (
	maxQuestion = 600 // bytes at the end of a message in which it may ask for something
	MaxReply    = 240 // bytes of a prompt that may be an answer
)

// AsksForSecret reports whether a message ends by asking for a secret.
func AsksForSecret(text string) bool {
	text = strings.ToLower(text[max(0, len(text)-maxQuestion):])
	for at := 0; at < len(text); {
		n := strings.IndexAny(text[at:], "?!.\n")
		if n < 0 {
			n = len(text) - at - 1
		}
		sentence := text[at : at+n+1]
		if aboutSecret(sentence) && requests(sentence) && !aboutOther(sentence) {
			return true
		}
		at += n + 1
	}
	return false
}

// aboutSecret reports whether a sentence is about something that gives access.
func aboutSecret(sentence string) bool {
	if value.ContainsAny(sentence, "passwor", "passphrase", "passcode", "passwd", "kennwort", "api key",
		"api-key", "apikey", "access key", "secret", "token", "credential", "login", "zugangsdaten",
		"zugangscode", "mot de passe", "contraseña", "senha", "wachtwoord", "verification code",
		"security code", "2fa", "schlüssel", "пароль", "密码", "パスワード") {
		return true
	}
	for word := range strings.FieldsFuncSeq(sentence, notLetter) {
		if value.InList(word, " key pin pw pwd otp ") {
			return true
		}
	}
	return false
}

// Announces reports whether a user says that the next message contains a secret.
func Announces(text string) bool {
	if len(text) > maxQuestion {
		return false
	}
	low := strings.ToLower(text)
	if !aboutSecret(low) {
		return false
	}
	return value.ContainsAny(low, "next message", "here it comes", "coming up", "comes next", "in a second",
		"in a moment", "will send you", "i'll send", "i'll paste", "let me paste", "kommt gleich",
		"schicke ich", "nächste nachricht")
}

// aboutOther reports whether a sentence asks for something about a secret, not for the secret: its name, its length,
// where it is stored.
func aboutOther(sentence string) bool {
	return value.ContainsAny(sentence, "name of the", "name for the", "key name", "be called", "is called",
		"called?", "primary key", "foreign key", "variable", "how long", "how many", "how should", "where ",
		"which user", "which branch", "which file", "which version", "which test", "which library",
		"which hash", "which one", "password field", "password policy", "password hash", "password test",
		"password check", "password validation", "password manager", "password reset", "reset the password",
		"token library", "token limit", "token endpoint", "token fix", "token count", "token budget", "tokens",
		"secrets manager", "token go", "issue about", "the url of", "cookie or", "heißt", "nommer")
}

func notLetter(r rune) bool { return r < 'a' || r > 'z' }

// requests reports whether a sentence asks for information.
func requests(sentence string) bool {
	if value.ContainsAny(sentence, "please", "send me", "send it", "provide", "give me", "tell me", "share",
		"enter ", "paste", "i need", "i'll need", "we need", "let me know", "reply with", "bitte", "schick",
		"brauche", "gib mir", "nenne", "sag mir", "s'il vous", "donne", "por favor") {
		return true
	}
	if !strings.HasSuffix(sentence, "?") {
		return false
	}
	return value.ContainsAny(sentence, "what", "which", "could you", "can you", "would you", "do you have",
		"do you know", "was ist", "wie lautet", "wie ist", "wie war", "welche", "kannst du", "können sie",
		"hast du", "quel", "cuál", "qual ", "wat is", "какой")
}

// AsksUser reports whether a tool asks the user for a secret.
func AsksUser(input any) bool {
	m, _ := input.(map[string]any)
	questions, _ := m["questions"].([]any)
	for _, q := range append(questions[:len(questions):len(questions)], m) {
		one, _ := q.(map[string]any)
		for _, k := range []string{"question", "message"} {
			if text, ok := one[k].(string); ok && len(text) <= 2*maxQuestion && AsksForSecret(text) {
				return true
			}
		}
	}
	return false
}

// Answered finds the words of a text that are the secret the agent asked for.
func Answered(text string) (out []scan.Span) {
	words := assign.FieldSpans(text, 0, min(len(text), MaxKeyed))
	for _, w := range words {
		from, to := value.Trimmed(text, w[0], w[1], "\"'`([{<|,:=", "\"'`)]}>|,;:.")
		if i := strings.IndexAny(text[from:to], ":/"); i > 0 && assign.WordLike(text[from:from+i]) && to-from-i > 6 {
			from += i + 1 // an account and its password
		}
		if v := text[from:to]; handedOver(v) || len(words) == 1 && onlyWord(v) {
			out = append(out, scan.Span{Start: from, End: to, Rule: scan.RulePassword})
		}
	}
	return out
}

// handedOver reports whether a word among others is one that somebody gives as a secret.
func handedOver(v string) bool {
	if len(v) < 8 || value.Placeholder(v) || value.PathLike(v) ||
		strings.Contains(v, "@") && strings.Contains(v[strings.IndexByte(v, '@'):], ".") {
		return false
	}
	return value.SymbolPassword(v) || value.Random(v) || value.HexKey(v) ||
		value.AlnumPassword(v) && !strings.ContainsAny(v, "-_.")
}

// onlyWord reports whether the only word of an answer is a secret.
func onlyWord(v string) bool {
	switch {
	case len(v) < 4 || len(v) > scan.MaxValue || value.Placeholder(v) || value.PathLike(v):
		return false
	case value.Integer(v):
		return len(v) <= 12 // a PIN, a code
	case len(v) < 6 || value.CodeLike(v):
		return false
	}
	return value.Mixed(v) || strings.ContainsAny(v, "!#$%^*?+~&") || value.RandomLetters(v)
}

// Reply reports whether a prompt is short enough to be only an answer.
func Reply(text string) bool {
	return len(text) <= MaxReply && len(strings.Fields(text)) <= 16 && len(Answered(text)) <= 3
}
