package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"keepmum/lazyregexp"
	"keepmum/privacy/wordlist"
)

// HarmlessVariable reports whether an environment variable never contains a secret: paths, display settings.
func HarmlessVariable(name string) bool {
	return wordlist.In(name, " PATH HOME PWD OLDPWD SHELL USER LOGNAME HOSTNAME LANG LANGUAGE LC_ALL LC_CTYPE TERM COLORTERM TZ EDITOR VISUAL PAGER TMPDIR SHLVL CI"+
		" GOPATH GOROOT GOBIN GOOS GOARCH GOMODCACHE GOCACHE CGO_ENABLED JAVA_HOME MAVEN_HOME GRADLE_HOME ANDROID_HOME NODE_ENV NODE_PATH NODE_VERSION NVM_DIR PYTHONPATH VIRTUAL_ENV"+
		" CONDA_PREFIX CARGO_HOME RUSTUP_HOME GEM_HOME RAILS_ENV RACK_ENV DJANGO_SETTINGS_MODULE LD_LIBRARY_PATH PKG_CONFIG_PATH MANPATH XDG_CONFIG_HOME XDG_DATA_HOME XDG_RUNTIME_DIR ")
}

// stateTemplate matches docker inspect templates that ask for the state of a container.
var stateTemplate = lazyregexp.New(`^(?:[\s,:;=/|A-Za-z-]*\{\{\s*\.(?:State\.(?:Status|Running|Paused|ExitCode|Pid|StartedAt|FinishedAt|OOMKilled|Health\.Status)|Id|Name|Created|Image|RestartCount|Config\.Image|NetworkSettings\.IPAddress)\s*\}\})+\s*$`)

// asksHarmless reports whether a command that may print secrets is asked for something else.
func asksHarmless(name string, rest []string) bool {
	switch name {
	case "pass", "gopass":
		return len(rest) == 1 && oneOf("ls|list", rest[0]) // followed by a name, it prints that one
	case "openssl":
		return publicHalf(rest)
	case "vault":
		return slices.ContainsFunc(rest, func(w string) bool {
			return oneOf("-field=ttl|-field=accessor|-field=policies|-field=path|-field=version|-field=created_time|-field=creation_time|-field=expire_time|-field=lease_duration|-field=num_uses|-field=renewable|-field=display_name", w)
		})
	case "docker", "podman", "docker-compose":
		if name != "docker-compose" && len(rest) > 1 && rest[0] == "compose" {
			name, rest = "docker-compose", rest[1:]
		}
		if name == "docker-compose" {
			return listsServices(rest)
		}
		return asksState(rest)
	}
	return false
}

// publicHalf reports whether openssl writes the public key of a pair.
func publicHalf(rest []string) bool {
	return len(rest) > 0 && oneOf("pkey|rsa|ec", rest[0]) && slices.Contains(rest, "-pubout") && !slices.ContainsFunc(rest, func(w string) bool { return strings.HasPrefix(w, "-text") || strings.HasPrefix(w, "-pass") })
}

func listsServices(rest []string) bool {
	at := slices.Index(rest, "config")
	if at < 0 {
		return false
	}
	options := slices.DeleteFunc(slices.Clone(rest[at+1:]), isOperand)
	return len(options) == 1 && oneOf("--services|--volumes|--images|--profiles|--networks|-q|--quiet", options[0])
}

func asksState(rest []string) bool {
	if !slices.Contains(rest, "inspect") {
		return false
	}
	templates, fit := 0, true
	for i, w := range rest {
		template, is := "", false
		if flag, value, ok := strings.Cut(w, "="); ok && oneOf("--format|-f", flag) {
			template, is = value, true
		} else if oneOf("--format|-f", w) && i+1 < len(rest) {
			template, is = rest[i+1], true
		}
		if is {
			templates++
			fit = fit && stateTemplate.MatchString(strings.Trim(template, `"'`))
		}
	}
	return templates == 1 && fit
}

// showsNothing reports whether a command that reads a denied file only prints a fact about it: how many lines match,
// when a certificate expires.
func showsNothing(name string, words []string, dropped bool) bool {
	rest := words[1:]
	switch name {
	case "grep", "egrep", "fgrep":
		return dropped || countsMatches(rest)
	case "rg":
		return slices.ContainsFunc(rest, func(w string) bool { return oneOf("-c|-q|-l|--count|--quiet|--files-with-matches", w) }) && !slices.ContainsFunc(rest, func(w string) bool { return oneOf("-e|-r|--replace*|--json|--passthru", w) })
	case "diff", "cmp":
		return dropped
	case "keytool":
		return slices.Contains(rest, "-list") && !slices.ContainsFunc(rest, func(w string) bool { return strings.HasPrefix(w, "-storepass") || strings.HasPrefix(w, "-rfc") })
	case "openssl":
		return len(rest) > 0 && !slices.ContainsFunc(rest, isDevice) && (publicHalf(rest) || rest[0] == "verify" || rest[0] == "x509" && slices.Contains(rest, "-noout") || signsRequest(rest))
	case "docker", "podman":
		return len(rest) == 3 && rest[0] == "cp" && !strings.Contains(rest[1], ":") && strings.Contains(rest[2], ":")
	case "aws":
		return len(rest) == 4 && rest[0] == "s3" && rest[1] == "cp" && !strings.HasPrefix(rest[2], "s3:") && strings.HasPrefix(rest[3], "s3://")
	}
	return false
}

func signsRequest(rest []string) bool {
	return rest[0] == "req" && slices.Contains(rest, "-new") && slices.Contains(rest, "-out") && !slices.ContainsFunc(rest, func(w string) bool { return oneOf("-text|-newkey|-keyout|-passin|-config|-verbose", w) })
}

var countOption = lazyregexp.New(`^-[aHhinrRsvwxEFGP]*[cqlL][aHhinrRsvwxEFGPcqlL]*$`)

// countsMatches reports whether grep prints a number, a name or nothing.
func countsMatches(rest []string) bool {
	for i, w := range rest {
		if i > 0 && (grepOptionTakesValue(rest[i-1]) || oneOf("-e|-f|--regexp|--file|-d|-D|--label", rest[i-1])) {
			continue
		}
		if w == "--" {
			return false
		}
		if oneOf("--count|--quiet|--silent|--files-with-matches|--files-without-match", w) || countOption.MatchString(w) {
			return true
		}
	}
	return false
}

// countsOnly reports whether the output of a simple command goes into one that prints only an amount.
func countsOnly(from, into *syntax.Stmt) bool {
	_, simple := from.Cmd.(*syntax.CallExpr)
	if _, declares := from.Cmd.(*syntax.DeclClause); !simple && !declares || len(from.Redirs) > 0 || len(into.Redirs) > 0 {
		return false
	}
	call, ok := into.Cmd.(*syntax.CallExpr)
	if !ok || len(call.Args) == 0 {
		return false
	}
	var words []string
	for _, a := range call.Args {
		words = append(words, a.Lit())
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
		switch {
		case r.Op == syntax.RdrIn || r.Op == syntax.Hdoc || r.Op == syntax.WordHdoc:
		case r.Op == syntax.DplOut && !first:
		case (r.Op == syntax.RdrOut || r.Op == syntax.RdrAll || r.Op == syntax.AppOut) && r.Word != nil && r.Word.Lit() == "/dev/null":
			dropped = dropped || first
		default:
			return false
		}
	}
	return dropped
}
