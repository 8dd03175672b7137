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
	some := func(is func(string) bool) bool { return slices.ContainsFunc(rest, is) }
	switch {
	case in("json-filters", name):
		return some(selectsSecret)
	case in("matchers", name):
		return some(printsOnlyMatch) && some(behindSecret)
	case in("awks", name):
		return some(laterColumn.MatchString) && some(func(w string) bool { return namesSecret(w, separates(rest)) })
	case oneOf("sed|gsed", name):
		return some(isQuiet) && some(cutsSecret)
	case in("xml-filters", name):
		return some(func(w string) bool { return strings.Contains(w, "/") && namesSecret(lastStep.FindString(w), true) })
	case in("databases", name):
		return some(selectsSecretColumn)
	}
	return getsNamedSecret(name, rest)
}

// lastStep matches the last name of a path in an XML document.
var lastStep = lazyregexp.New(`[^/@:(]*(?:/text\(\))?[)\]'"]*$`)

// getsNamedSecret reports whether a command asks a store for the value of a secret name: redis-cli get api_key.
func getsNamedSecret(name string, rest []string) bool {
	verbs := row("getters", name)
	at := slices.IndexFunc(rest, func(w string) bool { return oneOf(verbs, w) })
	return verbs != "" && at >= 0 && slices.ContainsFunc(rest[at:], func(w string) bool {
		w = strings.Trim(w, `"'`)
		secret := keyname.Of(w) >= keyname.Token || name == "redis-cli" && ofSomebody(w)
		return secret && !strings.HasSuffix(strings.ToLower(w), ".signingkey")
	})
}

// ofSomebody reports whether a key of Redis means the secret of somebody: token:ann, but not token:count.
func ofSomebody(key string) bool {
	kind, id, _ := strings.Cut(strings.ToLower(key), ":")
	return id != "" && !strings.Contains(id, ":") && !oneOf(aboutSecrets, id) && keyname.Of(kind) >= keyname.Token
}

// aboutSecrets are the last parts of keys of Redis with numbers and lists of secrets.
const aboutSecrets = "count|counter|counts|ttl|bucket|buckets|next|prev|list|total|limit|max|min|size|stats|usage|" +
	"rate|hits|lock|queue|index|ids|keys|version|type|expiry|expires|revoked|blacklist"

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

// behind matches the part of a pattern that what it prints must follow.
var behind = lazyregexp.New(`^(.*?)\\K|\(\?<=([^)]*)`)

// behindSecret reports whether a pattern matches what follows a secret name.
func behindSecret(pattern string) bool {
	m := behind.FindStringSubmatch(pattern)
	return m != nil && namesSecret(m[1]+m[2], true)
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

// substitution matches the s commands of a sed script that print the line: what they search for, and what they put
// there.
var substitution = lazyregexp.New(`(?:^|[^A-Za-z])s[/|#,@]([^/|#,@]*)[/|#,@]([^/|#,@]*)[/|#,@]\w*p`)

// cutsSecret reports whether a sed script removes a secret name and leaves what was next to it.
func cutsSecret(script string) bool {
	return slices.ContainsFunc(substitution.FindAllStringSubmatch(script, 8), func(m []string) bool {
		return namesSecret(m[1], true) && !namesSecret(m[2], true)
	})
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
	used       = lazyregexp.New(`^(?:\.[A-Za-z0-9]|\?)`) // what follows a member that is not printed itself
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
	return slices.ContainsFunc(memberName.FindAllStringSubmatchIndex(code, 64), func(m []int) bool {
		name, next := code[m[2]:m[3]], code[m[3]:]
		called := strings.HasPrefix(next, "(") && !strings.HasPrefix(strings.ToLower(name), "get")
		return !called && !used.MatchString(next) && keyname.Of(name) >= keyname.Token
	})
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
