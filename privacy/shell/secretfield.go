package shell

import (
	"slices"
	"strings"

	"keepmum/lazyregexp"
	"keepmum/privacy/keyname"
)

// extractsSecret reports whether a command extracts the value of a secret name from a text or a store: its output then
// shows the value without the name.
func extractsSecret(name string, rest []string) bool {
	switch {
	case in("json-filters", name):
		return slices.ContainsFunc(rest, selectsSecret)
	case in("matchers", name):
		return slices.ContainsFunc(rest, printsOnlyMatch) && slices.ContainsFunc(rest, behindSecret)
	case in("awks", name):
		column := slices.ContainsFunc(rest, laterColumn.MatchString)
		return column && slices.ContainsFunc(rest, func(w string) bool { return namesSecret(w, separates(rest)) })
	case name == "sed", name == "gsed":
		return slices.ContainsFunc(rest, isQuiet) && slices.ContainsFunc(rest, cutsSecret)
	case in("xml-filters", name):
		return slices.ContainsFunc(rest, func(w string) bool {
			return strings.Contains(w, "/") && namesSecret(xmlName(w), true)
		})
	case in("databases", name):
		return slices.ContainsFunc(rest, selectsSecretColumn)
	}
	return getsNamedSecret(name, rest)
}

func getsNamedSecret(name string, rest []string) bool {
	verbs := row("getters", name)
	if verbs == "" {
		return false
	}
	at := slices.IndexFunc(rest, func(w string) bool { return oneOf(verbs, w) })
	return at >= 0 && slices.ContainsFunc(rest[at:], func(w string) bool {
		return keyname.Of(strings.Trim(w, `"'`)) >= keyname.Token && !strings.HasSuffix(strings.ToLower(w), ".signingkey")
	})
}

var (
	filterTest = lazyregexp.New(`\b(?:del|has|select|delpaths|test|startswith|endswith|sort_by|group_by|unique_by)` +
		`\([^()]*\)|\|\s*(?:map\()?(?:length|type|keys|not)\)?\s*$`)
	filterEnd = lazyregexp.New(
		`(?:\.\s*|\[\s*)(?:\[\s*)?["']?([A-Za-z_][\w-]{0,63})["']?\]?(\[\d*\])?\??\s*(?:$|[|,)+/@"\\])`,
	)
)

// selectsSecret reports whether a jq filter ends in a secret name: what it only tests, counts or changes is not
// printed.
func selectsSecret(filter string) bool {
	if len(filter) > 1024 || strings.HasPrefix(filter, "-") {
		return false
	}
	for _, m := range filterEnd.FindAllStringSubmatch(filterTest.ReplaceAllString(filter, " _"), 16) {
		plural := m[2] == "" && strings.HasSuffix(strings.ToLower(m[1]), "tokens")
		if !plural && keyname.Of(m[1]) >= keyname.Token {
			return true
		}
	}
	return false
}

// printsOnlyMatch reports whether an option is grep's -o, alone or among other letters.
func printsOnlyMatch(w string) bool { return w == "--only-matching" || hasLetter(w, "o") }

// isQuiet reports whether an option is sed's -n, alone or among other letters.
func isQuiet(w string) bool { return oneOf("--quiet|--silent", w) || hasLetter(w, "n") }

// hasLetter reports whether an option is a letter, alone or among others.
func hasLetter(w, letter string) bool {
	const most = 7 // bytes; a longer word is an option of Java's kind
	return len(w) <= most && strings.HasPrefix(w, "-") && !strings.HasPrefix(w, "--") && strings.Contains(w, letter)
}

// behindSecret reports whether a pattern matches what follows a secret name.
func behindSecret(pattern string) bool {
	name, _, ok := strings.Cut(pattern, `\K`)
	if !ok {
		if _, name, ok = strings.Cut(pattern, "(?<="); ok {
			name, _, _ = strings.Cut(name, ")")
		}
	}
	return ok && namesSecret(name, true)
}

var (
	laterColumn = lazyregexp.New(`\bprintf?\b[^}]*\$(?:[2-9]|NF|\(NF)|\b(?:substr|gensub|split)\(`)
	splitter    = lazyregexp.New(`^-F *["'\[]?[=:]|^-d *["']?[=:"' ]|\bFS *=`)
)

// separates reports whether an option separates names from values.
func separates(rest []string) bool {
	for i, w := range rest {
		if splitter.MatchString(w) || (w == "-F" || w == "-d") && i+1 < len(rest) && splitter.MatchString(w+rest[i+1]) {
			return true
		}
	}
	return false
}

// sifts reports whether a command keeps those lines of a text that name a secret.
func sifts(name string, rest []string) bool {
	if name == "echo" || name == "printf" {
		return slices.ContainsFunc(rest, selectsSecretColumn)
	}
	if !in("sifters", name) || slices.ContainsFunc(rest, printsNoLine) {
		return false
	}
	i := slices.IndexFunc(rest, isOperand)
	return i >= 0 && namesSecret(rest[i], true)
}

// printsNoLine reports whether an option makes grep print something other than lines of its input.
func printsNoLine(w string) bool {
	const most = 5 // bytes of several letters after one dash
	return in("whole-file", w) || len(w) <= most && strings.HasPrefix(w, "-") && strings.ContainsAny(w, "rRclLvq")
}

// takesValue reports whether a command that reads lines of names and values prints only the values.
func takesValue(name string, rest []string) bool {
	switch {
	case name == "cut":
		return separates(rest) && !anyOf("-f1|1", rest)
	case in("awks", name):
		return slices.ContainsFunc(rest, laterColumn.MatchString)
	case name == "sed", name == "gsed":
		return slices.ContainsFunc(rest, cutPrefixScript.MatchString)
	}
	return in("databases", name)
}

// cutPrefixScript matches a sed script that removes everything up to a separator, or keeps a part of the line.
var cutPrefixScript = lazyregexp.New(`s([/|#,@])[^/|#,@]*` +
	`(?:\*[^/|#,@]{0,8}[=:]|[=:][^/|#,@]{0,8}\*|\?\()[^/|#,@]*[/|#,@](?:\\1)?["']?[/|#,@]`)

// cutsSecret reports whether a sed script removes a secret name and leaves what was next to it.
func cutsSecret(script string) bool {
	at := strings.LastIndexByte(script, 's')
	for at > 0 && !substitutes(script, at) {
		at = strings.LastIndexByte(script[:at], 's')
	}
	if at < 0 || at+2 >= len(script) {
		return false
	}
	parts := strings.SplitN(script[at+2:], script[at+1:at+2], 3)
	return len(parts) == 3 && namesSecret(parts[0], true) && !namesSecret(parts[1], true) &&
		strings.Contains(parts[2], "p")
}

// substitutes reports whether the s at an offset is a command, and no letter of a word.
func substitutes(script string, at int) bool {
	before := script[at-1] | 0x20
	return at+1 < len(script) && strings.IndexByte("/|#,@", script[at+1]) >= 0 && (before < 'a' || before > 'z')
}

// xmlName returns the last name of a path in an XML document.
func xmlName(path string) string {
	path = strings.TrimRight(strings.ReplaceAll(path, "/text()", ""), ")]'\"")
	return path[strings.LastIndexAny(path, "/@:(")+1:]
}

var anyName = lazyregexp.New(`[A-Za-z_][\w-]{1,63}`)

// namesSecret reports whether a text contains a word that is the name of a secret. "pass" alone may also be the result
// of a test.
func namesSecret(text string, pass bool) bool {
	if len(text) > 1024 || strings.HasPrefix(text, "-") {
		return false
	}
	return slices.ContainsFunc(anyName.FindAllString(text, 64), func(w string) bool {
		w = strings.TrimSuffix(strings.TrimSuffix(strings.ToLower(w), "_hash"), "_digest")
		return keyname.Of(w) >= keyname.Token && (pass || w != "pass")
	})
}

var (
	selectList = lazyregexp.New(`(?is)\bselect\s+(?:distinct\s+)?(.{1,512}?)\s+from\b`)
	sqlMeasure = lazyregexp.New(`(?i)^\s*(?:count|length|char_length|octet_length|exists|max|min|bool_and|case)\b`)
)

// selectsSecretColumn reports whether an SQL statement reads a column whose name means that it contains secrets.
func selectsSecretColumn(statement string) bool {
	if len(statement) > maxScript || !strings.Contains(strings.ToLower(statement), "select") {
		return false
	}
	for _, m := range selectList.FindAllStringSubmatch(statement, 8) {
		for item := range strings.SplitSeq(m[1], ",") {
			if !sqlMeasure.MatchString(item) && !strings.Contains(strings.ToLower(item), " is ") && namesSecret(item, true) {
				return true
			}
		}
	}
	return false
}

var (
	printing = lazyregexp.New(
		`(?i)\b(?:print(?:ln|f)?|puts|echo|log|info|p|pp|say|dump|dd|write|write-host|write-output|inspect)\b[ \t(]+["']?`,
	)
	memberName = lazyregexp.New(`(?:\.|->|::|\[["':]|\w\(["':])([A-Za-z_]\w{1,63})`)
	captured   = lazyregexp.New(`([A-Za-z_]\w{1,63})["']?(?:\\s[*+])?\s*[=:](?:\\s[*+])?[\s"'\[]*\(`)
	// generator matches code that generates a secret, or reads a whole file of secrets.
	generator = lazyregexp.New(
		`\bsecrets\.(?:token_(?:hex|urlsafe|bytes)|choice)\b|\brandomBytes\(|\brandom_bytes\(|\bget_random_secret_key\b|\bFernet\.generate_key\b` +
			`|\bSecureRandom\.(?:hex|base64|urlsafe_base64|alphanumeric|random_bytes|token)` +
			`|\bdotenv_values\(|\blog\([^\n]{0,80}dotenv['"]\)\.(?:config|parse)|\b(?:puts|p|pp|print)\b[ (]{1,4}Dotenv\.\w+` +
			`|\bload_dotenv\b(?s:.{0,400})\bos\.(?:environ|getenv)\b|\bRails\.application\.(?:credentials|secrets)\b`,
	)
	winEnv = lazyregexp.New(`(?i)(?:^|[;|(]|\b(?:echo|write-host|write-output)\b)[ \t"'(]*\$\{?env:(\w{2,64})` +
		`|GetEnvironmentVariable\(["'](\w{2,64})|\becho\s+%(\w{2,64})%`)
)

// printsNamed reports whether code prints the value of a secret name, from a field or from a text that it searches, or
// generates a secret.
func printsNamed(code string) bool {
	if len(code) > maxScript {
		return false
	}
	at := printing.FindStringIndex(code)
	if at == nil {
		return false
	}
	if generator.MatchString(code) {
		return true
	}
	for _, m := range captured.FindAllStringSubmatch(code, 16) {
		if keyname.Of(m[1]) >= keyname.Token {
			return true
		}
	}
	code = code[at[1]:]
	for _, m := range memberName.FindAllStringSubmatchIndex(code, 64) {
		name, next := code[m[2]:m[3]], code[m[3]:]
		if !used(name, next) && keyname.Of(name) >= keyname.Token {
			return true
		}
	}
	return false
}

// used reports whether code takes a member of a value, tests it or calls it, instead of printing it.
func used(name, next string) bool {
	if next == "" {
		return false
	}
	switch next[0] {
	case '.':
		return len(next) > 1 && isLetterOrDigit(next[1])
	case '(':
		return !strings.HasPrefix(strings.ToLower(name), "get")
	}
	return next[0] == '?'
}

// printsVariable reports whether a Windows script prints a secret variable.
func printsVariable(script string) bool {
	if !strings.Contains(strings.ToLower(script), "env") && !strings.Contains(script, "%") {
		return false
	}
	return slices.ContainsFunc(winEnv.FindAllStringSubmatch(script, 16), func(m []string) bool {
		return keyname.Of(m[1]+m[2]+m[3]) >= keyname.Token
	})
}

func isLetterOrDigit(c byte) bool {
	letter := c | 0x20
	return letter >= 'a' && letter <= 'z' || c >= '0' && c <= '9'
}
