package shell

import (
	"slices"
	"strings"

	"keepmum/privacy/keyname"
	"keepmum/privacy/wordlist"
)

// PrintsSecret reports whether a command line prints a secret.
func PrintsSecret(line string) bool {
	for part := range fields(line, ";|&") {
		words := strings.Fields(part)
		if len(words) == 0 {
			continue
		}
		if policyOf(words) == DropOutput {
			return true
		}
		words = words[min(unwrapped(words), len(words)-1):]
		if p := policyOf(words); p == DropOutput || p == DropFields {
			return true
		}
		switch program(words[0]) {
		case "nmcli":
			if strings.Contains(part, "psk") {
				return true
			}
		case "cat":
			if len(words) == 2 && secretFile(words[1]) {
				return true
			}
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
