package shell

import (
	"slices"
	"strings"

	"keepmum/lazyregexp"
)

// taint records what kind of command this is says about its output.
func (s *reader) taint(words []string, redirected bool, at place) {
	p := policyOf(words)
	if p == Keep && in("runs-others", program(words[0])) {
		for i := 1; i < len(words) && p == Keep; i++ {
			p = policyOf(words[i:])
		}
	}
	name := canonical(program(words[0]))
	if p == Keep && s.sifted == s.group+1 && takesValue(name, words[1:]) {
		p = DropFields
	}
	if sifts(name, words[1:]) {
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
	if in("repeats", name) && slices.ContainsFunc(words, func(w string) bool { return strings.Contains(w, Secret) }) {
		s.Tainted = append(s.Tainted, s.group)
		s.Output = DropOutput
	}
}

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
	name, rest := canonical(program(words[0])), words[1:]
	if asksHarmless(name, rest) {
		return Keep
	}
	switch {
	case in("environment", name):
		return listsEnvironment(name, rest)
	case name == "printenv":
		return printsVariables(rest)
	case name == "history", name == "fc":
		return DropOutput
	case in("prints-names", name) && prints(name, rest) && !anyOf("auth|auth:token|tokens", rest):
		return DropValues
	case prints(name, rest), name == "oc" && prints("kubectl", rest), asksMetadata(name, rest):
		return DropOutput
	case extractsSecret(name, rest), slices.ContainsFunc(rest, isNoise):
		return DropFields
	}
	return Keep
}

func printsVariables(rest []string) Policy {
	switch {
	case !slices.ContainsFunc(rest, isOperand):
		return DropValues
	case slices.ContainsFunc(rest, func(w string) bool { return !HarmlessVariable(w) }):
		return DropOutput
	}
	return Keep
}

// canonical returns the name that the tables use for an alias of a program.
func canonical(name string) string {
	if usual := row("aliases", name); usual != "" {
		return usual
	}
	return name
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

func listsEnvironment(name string, rest []string) Policy {
	operands := 0
	for _, w := range rest {
		if oneOf(`env:|env:\*`, strings.ToLower(w)) {
			return DropValues
		}
		if isOperand(w) && !(name == "env" && strings.Contains(w, "=")) {
			operands++
		}
	}
	all := false
	switch name {
	case "env", "export":
		all = operands == 0
	case "declare", "typeset", "readonly":
		all = operands == 0 || slices.Contains(rest, "-p")
	case "set":
		all = len(rest) == 0
	}
	if all {
		return DropValues
	}
	return Keep
}

// printsEnvironment matches code that prints the whole environment, or a secret from it.
var printsEnvironment = lazyregexp.New(`os\.environ(?:\.items\(\)|\.copy\(\))?\s*[),}]` +
	`|(?:log|stringify|dir|table)\(\s*process\.env\s*[,)]|^\s*process\.env\s*$` +
	`|\bENV\.(?:to_h|each|inspect|map)\b|\b(?:p|pp|puts) ENV\b|%ENV\b|phpinfo\(|\$_(?:ENV|SERVER)\s*\)|getenv\(\s*\)` +
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
