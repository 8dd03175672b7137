package shell

import (
	"slices"
	"strings"

	"keepmum/lazyregexp"
	"keepmum/privacy/keyname"
	"keepmum/privacy/wordlist"
)

// taint records what kind of command this is says about its output.
func (s *reader) taint(words []string, redirected bool, at place) {
	p := policyOf(words)
	if p == Keep && in("runs-others", program(words[0])) {
		for i := 1; i < len(words) && p == Keep; i++ {
			p = policyOf(words[i:])
		}
	}
	name, rest := canonical(words)
	if p == Keep && s.sifted == s.group+1 && takesValue(name, rest) {
		p = DropFields
	}
	if sifts(name, rest) {
		s.sifted = s.group + 1
	}
	if p == Keep {
		return
	}
	s.Tainted = append(s.Tainted, s.group)
	if at.counted {
		return
	}
	if at.captured && !s.traced {
		return // it becomes a word; [reader.repeats] catches whoever prints that word
	}
	if !redirected || at.piped {
		s.Output = max(s.Output, p)
	}
}

// repeats catches a command that prints a word which contains secret output (echo $(gh auth token), or through a
// variable).
func (s *reader) repeats(name string, words []string) {
	if in("repeats", name) && slices.ContainsFunc(words, carriesSecret) {
		s.Tainted = append(s.Tainted, s.group)
		s.Output = DropOutput
	}
}

// fillsIn catches a command that prints such a word with what it makes of it (jq -n --arg t "$(gh auth token)" '$t').
func (s *reader) fillsIn(name string, words []string, redirected bool) {
	if in("fills-in", name) && !redirected && !anyOf("-i*|--in-place*", words) &&
		slices.ContainsFunc(words, carriesSecret) {
		s.repeats("echo", words)
	}
}

// carriesSecret reports whether a word contains secret output. A script that is read a second time has lost the
// [Unknown] before the mark.
func carriesSecret(word string) bool { return strings.Contains(word, secretMark) }

// taintByTokens is [reader.taint] for text that does not parse.
func (s *reader) taintByTokens(text string) {
	for line := range fields(text, "\n;|&(){}`") {
		if words := strings.Fields(line); len(words) > 0 && len(words) < 256 {
			s.taint(words, false, place{})
		}
	}
}

// policyOf returns what may be stored of the output of a command of this kind.
func policyOf(words []string) Policy {
	name, rest := canonical(words)
	switch {
	case says("harmless", name, rest), asksState(name, rest):
		return Keep
	case says("lists-values", name, rest):
		return DropValues
	case says("prints", name, rest), asksMetadata(name, rest):
		return DropOutput
	case extractsSecret(name, rest), slices.ContainsFunc(rest, isNoise):
		return DropFields
	}
	return Keep
}

// canonical returns the name that the tables use for a program, and the words that follow it.
func canonical(words []string) (name string, rest []string) {
	name, rest = program(words[0]), words[1:]
	if (name == "docker" || name == "podman") && len(rest) > 0 && rest[0] == "compose" {
		return "docker-compose", rest[1:]
	}
	if usual := row("aliases", name); usual != "" {
		name = usual
	}
	return name, rest
}

// PrintsSecret reports whether a command line prints a secret.
func PrintsSecret(line string) bool {
	for part := range fields(line, ";|&") {
		words := strings.Fields(part)
		if len(words) == 0 {
			continue
		}
		inner := words[unwrapped(words):]
		switch p := policyOf(inner); {
		case p == DropOutput, p == DropFields, policyOf(words) == DropOutput,
			program(inner[0]) == "cat" && len(inner) == 2 && secretFile(inner[1]):
			return true
		}
	}
	return false
}

// secretFile reports whether the name of a file means that it contains a secret.
func secretFile(path string) bool {
	base := path[strings.LastIndexByte(path, '/')+1:]
	var room [keyname.MaxWords]string
	return base == ".erlang.cookie" || slices.ContainsFunc(keyname.Words(base, room[:0]), func(w string) bool {
		return wordlist.In(w, " pass password passwd passphrase secret token pw apikey credentials creds ")
	})
}

// stateTemplate matches docker inspect templates that ask for the state of a container.
var stateTemplate = lazyregexp.New(`^["']?(?:[\s,:;=/|A-Za-z-]*\{\{\s*\.(?:` +
	`State\.(?:Status|Running|Paused|ExitCode|Pid|StartedAt|FinishedAt|OOMKilled|Health\.Status)` +
	`|Id|Name|Created|Image|RestartCount|Config\.Image|NetworkSettings\.IPAddress)\s*\}\})+\s*["']?$`)

// asksState reports whether docker inspect only prints the state of a container.
func asksState(name string, rest []string) bool {
	at := slices.IndexFunc(rest, func(w string) bool { return oneOf("--format*|-f*", w) })
	if !oneOf("docker|podman", name) || !slices.Contains(rest, "inspect") || at < 0 ||
		anyOf("--format*|-f*", rest[at+1:]) {
		return false
	}
	_, template, inline := strings.Cut(rest[at], "=")
	if !inline && at+1 < len(rest) {
		template = rest[at+1]
	}
	return stateTemplate.MatchString(template)
}

// metadataHost matches the addresses at which a cloud gives a machine its credentials.
var metadataHost = lazyregexp.New(`(?i)(?:169\.254\.169\.254|169\.254\.170\.\d+|100\.100\.100\.200|fd00:ec2::254` +
	`|metadata\.google\.internal|//metadata/).*(?:credential|token|identity|user-?data|customdata|attributes)`)

// asksMetadata reports whether a command asks a cloud for the credentials of a machine.
func asksMetadata(name string, rest []string) bool {
	return in("downloads", name) && slices.ContainsFunc(rest, metadataHost.MatchString)
}

// isNoise reports whether a file is a source of random bytes, from which passwords are made.
func isNoise(w string) bool {
	w = strings.TrimPrefix(w, "if=")
	return w == "/dev/urandom" || w == "/dev/random"
}

func isOperand(w string) bool { return !strings.HasPrefix(w, "-") }

// printsEnvironment matches code that prints the whole environment, or a secret from it.
var printsEnvironment = lazyregexp.New(`os\.environ(?:\.items\(\)|\.copy\(\))?\s*[),}]` +
	`|(?:log|stringify|dir|table)\(\s*process\.env\s*[,)]|^\s*process\.env\s*$` +
	`|\bENV\.(?:to_h|each|inspect|map)\b|\b(?:p|pp|puts) ENV\b|%ENV\b|phpinfo\(|\bdotenv_values\(` +
	`|dotenv['"]\)\.config\([^()]*\)(?:\.parsed|\s*\)|\s*$)|\$_(?:ENV|SERVER)\s*\)|getenv\(\s*\)` +
	`|(?i:(?:^|\blog\()\s*process\.env\.\w*(?:SECRET|TOKEN|PASS|PWD|KEY)\w*\s*(?:\)|$)` +
	`|\bprint\(\s*os\.(?:environ|getenv)(?:\.get)?[\[(]\s*["']\w*(?:SECRET|TOKEN|PASS|PWD|KEY))`)

// Policy is what may be stored of a command's output; a greater one allows less.
type Policy int

const (
	Keep       Policy = iota
	DropFields        // standalone values are removed
	DropValues        // env-like: names are kept, values removed
	DropOutput
)
