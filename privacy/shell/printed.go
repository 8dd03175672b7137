package shell

import (
	"strings"

	"keepmum/privacy/keyname"
	"keepmum/privacy/wordlist"
)

// PrintsSecret reports whether a command line prints a secret.
func PrintsSecret(line string) bool {
	for part := range strings.FieldsFuncSeq(line, func(r rune) bool { return strings.ContainsRune(";|&", r) }) {
		words := strings.Fields(part)
		if len(words) == 0 {
			continue
		}
		if policyOf(words) == DropOutput {
			return true
		}
		words = words[min(unwrapped(words), len(words)-1):]
		switch policyOf(words) {
		case DropOutput, DropFields:
			return true
		}
		if program(words[0]) == "nmcli" && strings.Contains(part, "psk") {
			return true
		}
		if program(words[0]) == "cat" && len(words) == 2 && secretFile(words[1]) {
			return true
		}
	}
	return false
}

// secretFile reports whether the name of a file means that it contains a secret.
func secretFile(path string) bool {
	base := path[strings.LastIndexByte(path, '/')+1:]
	if base == ".erlang.cookie" {
		return true
	}
	var room [keyname.MaxWords]string
	for _, w := range keyname.Words(base, room[:0]) {
		if wordlist.In(w, " pass password passwd passphrase secret token pw apikey credentials creds ") {
			return true
		}
	}
	return false
}
