package gotcha

import (
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"keepmum/lazyregexp"
)

// maxCommand limits what is parsed: a longer command is a script that will not be run twice.
const maxCommand = 8 << 10

// call is one simple command, as a list of words.
type call []string

// program returns the program that a call runs.
func (c call) program() string {
	if len(c) == 0 {
		return ""
	}
	return path.Base(strings.Trim(c[0], `"'`))
}

// bare returns a call without the path of its program.
func (c call) bare() []string {
	return append([]string{c.program()}, c[1:]...)
}

// parse splits a command line into its calls. Substitutions stay in their words.
func parse(command string) (calls []call) {
	if len(command) > maxCommand {
		return nil
	}
	defer func() {
		if recover() != nil { // the parser may panic on arbitrary input
			calls = nil
		}
	}()
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(command), "")
	if err != nil {
		return nil
	}
	syntax.Walk(file, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.CmdSubst, *syntax.FuncDecl:
			return false
		case *syntax.Stmt:
			calls = append(calls, ofStmt(n, command)...)
		}
		return true
	})
	return calls
}

// ofStmt returns the call of a statement, if it is one, including its input.
func ofStmt(st *syntax.Stmt, command string) []call {
	c, ok := st.Cmd.(*syntax.CallExpr)
	if !ok || len(c.Args) == 0 {
		return nil
	}
	var words call
	for _, w := range c.Args {
		words = append(words, command[w.Pos().Offset():w.End().Offset()])
	}
	for _, r := range st.Redirs {
		if r.Hdoc != nil {
			words = append(words, command[r.Hdoc.Pos().Offset():r.Hdoc.End().Offset()])
		}
	}
	return []call{unwrapped(words)}
}

// wrappers are programs that run the command that follows.
var wrappers = []string{"sudo", "env", "time", "nice", "nohup", "exec", "command", "timeout", "stdbuf"}

// unwrapped removes what only says how a command runs.
func unwrapped(words call) call {
	for len(words) > 1 && slices.Contains(wrappers, words.program()) {
		words = words[1:]
		for len(words) > 1 && isOption(words[0]) {
			words = words[1:]
		}
	}
	return words
}

// isOption reports whether a word is an option, an assignment or a duration.
func isOption(word string) bool {
	return strings.HasPrefix(word, "-") || strings.Contains(word, "=") || word[0] >= '0' && word[0] <= '9'
}

// dressing lists commands that accompany the main one.
var dressing = []string{"cd", "pushd", "popd", "echo", "printf", "head", "tail", "grep", "egrep", "rg", "cat", "sed",
	"awk", "sort", "uniq", "wc", "tee", "less", "true", "false", "set", "export", "sleep", "pwd", "source", ".", "exit",
	"test", "[", "read", "wait", "ls", "xargs", "tr", "cut", "jq", "which", "clear"}

// looking lists commands that change nothing.
var looking = []string{"find", "stat", "file", "du", "df", "ps", "diff", "tree", "env", "whoami", "date", "type",
	"lsof",
	"git status", "git diff", "git log", "git show", "git branch", "git blame", "git rev-parse", "git remote",
	"git ls-files", "git fetch", "docker ps", "docker logs", "kubectl get", "kubectl describe", "kubectl logs",
	"gh pr", "gh run", "gh issue", "gh api", "curl", "nl"}

// meant returns the calls that a command line is about, without those that accompany them.
func meant(calls []call) []call {
	return slices.DeleteFunc(slices.Clone(calls), func(c call) bool { return slices.Contains(dressing, c.program()) })
}

// key identifies equal command lines.
func key(calls []call) string {
	var parts []string
	for _, c := range meant(calls) {
		parts = append(parts, strings.Join(c, " "))
	}
	return strings.Join(parts, " ; ")
}

// verbs lists programs whose first word says what they do.
var verbs = []string{"git", "npm", "pnpm", "yarn", "bun", "go", "cargo", "docker", "kubectl", "make", "uv", "poetry",
	"pip", "pip3", "gh", "npx", "bunx", "terraform", "dotnet", "mvn", "gradle", "brew", "apt", "apt-get", "rails",
	"bundle", "mix", "deno", "turbo", "nx", "aws", "gcloud", "az", "helm", "supabase", "wrangler", "vercel",
	"python", "python3", "node"}

// simple matches a word that is a name, not a text.
var simple = lazyregexp.New(`^[\w:@./+-]+$`)

// name returns a program with its subcommand.
func (c call) name() string {
	out := c.program()
	if !slices.Contains(verbs, out) {
		return out
	}
	for _, w := range c[1:] {
		switch {
		case w == "-m": // python -m MODULE
			out += " -m"
		case strings.HasPrefix(w, "-"):
		case w == "run" || w == "compose":
			out += " " + w
		case simple.MatchString(w):
			return out + " " + path.Base(w)
		default:
			return out
		}
	}
	return out
}

// looks reports whether a command changes nothing.
func looks(calls []call) bool {
	return !slices.ContainsFunc(calls, func(c call) bool { return !c.looks() })
}

func (c call) looks() bool {
	switch program := c.program(); {
	case program == "sed":
		return !slices.ContainsFunc(c, func(w string) bool { return strings.HasPrefix(w, "-i") })
	case slices.ContainsFunc(c, func(w string) bool { return slices.Contains(asking, w) }):
		return true
	default:
		return slices.Contains(dressing, program) || slices.Contains(looking, program) || slices.Contains(looking, c.name())
	}
}

// changes reports whether a command may have a lasting effect.
func (c call) changes() bool {
	judges := checking.MatchString(c.name()) && !mending.MatchString(strings.Join(c, " "))
	return !judges && !c.looks()
}

// checking matches programs that check and change nothing, unless they are told to fix.
var (
	checking = lazyregexp.New(`\b(?:\w*lint|tests?|pytest|jest|vitest|checks?|typecheck|type-check|tsc|vet|mypy|ruff|clippy)\b`)
	mending  = lazyregexp.New(`--?(?:fix|write|w|update|u)\b|:fix\b|\bformat\b|\bfmt\b`)
)

// asking lists words with which a program only prints information.
var asking = []string{"--help", "-h", "help", "--version", "version", "--dry-run", "status", "list", "docs",
	"statuses", "logs", "show", "info", "inspect", "describe"}
