package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"keepmum/lazyregexp"
)

// stateTemplate matches docker inspect templates that ask for the state of a container.
var stateTemplate = lazyregexp.New(`^(?:[\s,:;=/|A-Za-z-]*\{\{\s*\.(?:` +
	`State\.(?:Status|Running|Paused|ExitCode|Pid|StartedAt|FinishedAt|OOMKilled|Health\.Status)` +
	`|Id|Name|Created|Image|RestartCount|Config\.Image|NetworkSettings\.IPAddress)\s*\}\})+\s*$`)

// asksHarmless reports whether a command that may print secrets is asked for something else.
func asksHarmless(name string, rest []string) bool {
	name, rest = asCompose(name, rest)
	switch name {
	case "pass", "gopass":
		return len(rest) == 1 && oneOf("ls|list", rest[0]) // followed by a name, it prints that one
	case "openssl":
		return publicHalf(rest)
	case "vault":
		return anyIn("public-fields", rest)
	case "docker-compose":
		return listsServices(rest)
	case "docker", "podman":
		return asksState(rest)
	}
	return false
}

// asCompose returns "docker compose" as the program that it runs.
func asCompose(name string, rest []string) (string, []string) {
	if (name == "docker" || name == "podman") && len(rest) > 0 && rest[0] == "compose" {
		return "docker-compose", rest[1:]
	}
	return name, rest
}

// publicHalf reports whether openssl writes the public key of a pair.
func publicHalf(rest []string) bool {
	return len(rest) > 0 && oneOf("pkey|rsa|ec", rest[0]) && slices.Contains(rest, "-pubout") &&
		!anyOf("-text*|-pass*", rest)
}

func listsServices(rest []string) bool {
	at := slices.Index(rest, "config")
	if at < 0 {
		return false
	}
	options := slices.DeleteFunc(slices.Clone(rest[at+1:]), isOperand)
	return len(options) == 1 && in("compose-names", options[0])
}

func asksState(rest []string) bool {
	asked := templates(rest)
	return slices.Contains(rest, "inspect") && len(asked) == 1 &&
		stateTemplate.MatchString(strings.Trim(asked[0], `"'`))
}

// templates returns the values of the option --format.
func templates(rest []string) (out []string) {
	for i, w := range rest {
		switch flag, value, inline := strings.Cut(w, "="); {
		case !oneOf("--format|-f", flag):
		case inline:
			out = append(out, value)
		case i+1 < len(rest):
			out = append(out, rest[i+1])
		}
	}
	return out
}

// showsNothing reports whether a command that reads a denied file only prints a fact about it: how many lines match,
// when a certificate expires.
func showsNothing(name string, rest []string, dropped bool) bool {
	switch name {
	case "grep", "egrep", "fgrep":
		return dropped || countsMatches(rest)
	case "rg":
		return anyIn("rg-counts", rest) && !anyIn("rg-shows", rest)
	case "diff", "cmp":
		return dropped
	case "keytool":
		return slices.Contains(rest, "-list") && !anyOf("-storepass*|-rfc*", rest)
	case "openssl":
		return printsFacts(rest)
	case "docker", "podman":
		return len(rest) == 3 && rest[0] == "cp" && !strings.Contains(rest[1], ":") && strings.Contains(rest[2], ":")
	case "aws":
		return uploads(rest)
	}
	return false
}

// uploads reports whether aws copies a local file into a bucket.
func uploads(rest []string) bool {
	return len(rest) == 4 && rest[0] == "s3" && rest[1] == "cp" && !strings.HasPrefix(rest[2], "s3:") &&
		strings.HasPrefix(rest[3], "s3://")
}

// printsFacts reports whether openssl prints only what is public about a key or a certificate.
func printsFacts(rest []string) bool {
	if len(rest) == 0 || slices.ContainsFunc(rest, isDevice) {
		return false
	}
	switch rest[0] {
	case "verify":
		return true
	case "x509":
		return slices.Contains(rest, "-noout")
	case "req":
		return slices.Contains(rest, "-new") && slices.Contains(rest, "-out") && !anyIn("request-keys", rest)
	}
	return publicHalf(rest)
}

var countOption = lazyregexp.New(`^-[aHhinrRsvwxEFGP]*[cqlL][aHhinrRsvwxEFGPcqlL]*$`)

// countsMatches reports whether grep prints a number, a name or nothing.
func countsMatches(rest []string) bool {
	for i, w := range rest {
		if i > 0 && (in("pattern-values", rest[i-1]) || in("count-values", rest[i-1])) {
			continue
		}
		if w == "--" {
			return false
		}
		if in("counts", w) || countOption.MatchString(w) {
			return true
		}
	}
	return false
}

// countsOnly reports whether the output of a simple command goes into one that prints only an amount.
func countsOnly(from, into *syntax.Stmt) bool {
	_, simple := from.Cmd.(*syntax.CallExpr)
	_, declares := from.Cmd.(*syntax.DeclClause)
	words := written(into)
	if !simple && !declares || len(from.Redirs)+len(into.Redirs) > 0 || len(words) == 0 {
		return false
	}
	switch words[0] {
	case "wc":
		return len(words) <= 2
	case "grep":
		return !slices.Contains(words, "") && countsMatches(words[1:])
	}
	return false
}

// discards reports whether all output of a statement goes to /dev/null.
func discards(st *syntax.Stmt) bool {
	dropped := false
	for _, r := range st.Redirs {
		first := r.N == nil || r.N.Value == "1"
		switch r.Op {
		case syntax.RdrIn, syntax.Hdoc, syntax.WordHdoc:
		case syntax.DplOut:
			if first {
				return false
			}
		case syntax.RdrOut, syntax.RdrAll, syntax.AppOut:
			if r.Word == nil || r.Word.Lit() != "/dev/null" {
				return false
			}
			dropped = dropped || first
		default:
			return false
		}
	}
	return dropped
}
