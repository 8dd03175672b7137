package shell

import (
	"regexp"
	"slices"
	"strings"

	"keepmum/privacy/wordlist"
)

// Handing is how a command uses a file that it names.
type Handing int

const (
	Shown         Handing = iota // it may print the contents
	AsKey                        // it authenticates with the file
	AsValues                     // its output may contain values from the file
	AsEnvironment                // so may the output of everything that the script runs
	AsWritten                    // it changes the file: the command contains the new contents
)

// handedOption is an option of a program that is followed by a file.
type handedOption struct {
	flags string // "-i|--identity"
	how   Handing
	never string // with one of these words the program prints the file
}

var handedOptions = map[string]handedOption{
	"ssh": {flags: "-i", how: AsKey}, "scp": {flags: "-i", how: AsKey}, "sftp": {flags: "-i", how: AsKey}, "autossh": {flags: "-i", how: AsKey},
	"ansible": {flags: "--private-key|--key-file", how: AsKey}, "ansible-playbook": {flags: "--private-key|--key-file", how: AsKey},
	"kubectl": {flags: "--kubeconfig", how: AsKey, never: "config"}, "helm": {flags: "--kubeconfig", how: AsKey},
	"gcloud": {flags: "--key-file", how: AsKey},
	"curl":   {flags: "--netrc-file", how: AsValues, never: "-v|-*v*|--verbose|--trace*|--libcurl"},
	"mysql":  {flags: "--defaults-file|--defaults-extra-file", how: AsValues, never: "--print-defaults"}, "mysqldump": {flags: "--defaults-file|--defaults-extra-file", how: AsValues, never: "--print-defaults"},
	"mariadb":   {flags: "--defaults-file|--defaults-extra-file", how: AsValues, never: "--print-defaults"},
	"terraform": {flags: "-var-file|--var-file", how: AsValues, never: "console|show|output"}, "tofu": {flags: "-var-file|--var-file", how: AsValues, never: "console|show|output"},
	"docker": {flags: "--env-file|--secret", how: AsEnvironment}, "podman": {flags: "--env-file|--secret", how: AsEnvironment}, "docker-compose": {flags: "--env-file", how: AsEnvironment},
	"dotenv": {flags: "-e|-f|--env-file", how: AsEnvironment, never: "-p|--print|list|get|set|--debug|-v"},
	"op":     {flags: "--env-file", how: AsEnvironment, never: "inject|read"},
	"node":   {flags: "--env-file|--env-file-if-exists", how: AsEnvironment},
}

// handingOf returns how a command uses the file that word i names, and which file that is. Files of a command that runs
// on another machine cannot be checked.
func handingOf(name string, words []string, i int, away bool) (how Handing, file string) {
	if i == 0 || away {
		return Shown, ""
	}
	switch {
	case name == "source" || name == ".":
		return AsEnvironment, words[i]
	case name == "sed" && i == len(words)-1 && editsInPlace(words[1:i]):
		return AsWritten, words[i]
	}
	if tool := launched(words); tool > 0 && i > tool {
		name, words, i = program(words[tool]), words[tool:], i-tool
	}
	o, known := handedOptions[name]
	if !known || o.never != "" && slices.ContainsFunc(words[1:], func(w string) bool { return oneOf(o.never, w) }) {
		return Shown, ""
	}
	switch flag, value, ok := strings.Cut(words[i], "="); {
	case oneOf(o.flags, words[i-1]):
		file = words[i]
	case ok && oneOf(o.flags, flag):
		file = value
	case o.flags == "-i" && strings.HasPrefix(words[i], "-i"):
		file = words[i][2:]
	}
	if strings.Contains(file, ",") { // id=env,src=.env
		parts := strings.Split(file, ",")
		at := slices.IndexFunc(parts, func(p string) bool { return strings.HasPrefix(p, "src=") || strings.HasPrefix(p, "source=") })
		_, file, _ = strings.Cut(parts[max(at, 0)], "=")
	}
	if file == "" {
		return Shown, ""
	}
	return o.how, file
}

// editsInPlace reports whether sed changes the files that follow and prints nothing.
func editsInPlace(words []string) bool {
	return len(words) == 2 && oneOf("-i|-i.bak|-i''|--in-place", words[0]) && !strings.Contains(words[1], "/dev/") && isOperand(words[1])
}

// leftOut reports whether a word names files that a command is told to exclude.
func leftOut(name string, args [][]string, i int) bool {
	return i > 0 && oneOf("rsync|tar|grep|zip|du|borg|restic", name) && len(args[i-1]) == 1 && oneOf("--exclude|--exclude-dir", args[i-1][0])
}

// elsewhere treats what follows as running on another machine, until the returned function is called.
func (s *reader) elsewhere(name string) (back func()) {
	before := s.away
	switch name {
	case "ssh", "docker", "podman", "docker-compose", "kubectl", "oc", "vagrant", "heroku", "fly", "flyctl", "lxc", "incus", "multipass", "limactl", "wsl", "nomad", "chroot", "nsenter", "gcloud", "su", "minikube":
		s.away = true
	}
	return func() { s.away = before }
}

// launched returns the index of the tool that npx and similar programs run; 0 = none.
func launched(words []string) int {
	switch program(words[0]) {
	case "npx", "bunx", "pnpx":
	case "pnpm", "yarn", "npm":
		if len(words) > 1 && (words[1] == "exec" || words[1] == "dlx" || words[1] == "--") {
			words = append([]string{words[0]}, words[1:]...)
		}
	default:
		return 0
	}
	for i := 1; i < len(words); i++ {
		if !strings.HasPrefix(words[i], "-") && words[i] != "exec" && words[i] != "dlx" {
			return i
		}
	}
	return 0
}

// quietPrograms test, build and start a project, or manage files. Their output may contain a value that they were
// given, but they are not asked for one.
const quietPrograms = " make gmake just ninja ctest bazel mvn mvnw gradle gradlew sbt ant tox nox pytest py.test rspec rake phpunit pest jest " +
	" vitest mocha ava tap tsc eslint biome prettier playwright cypress vite next webpack turbo nx prisma alembic uvicorn gunicorn ansible-playbook terraform tofu cd pushd popd true false : test [ sleep wait exit return mkdir rm ls touch chmod pwd date wc sort uniq less more git source . curl kill tee cat "

// quietVerbs lists programs of which only some subcommands are quiet.
var quietVerbs = map[string]string{
	"npm": "test|t|run|run-script|start|ci|install|i", "yarn": "test|build|start|dev|install|lint|run", "pnpm": "test|build|start|dev|install|lint|run", "bun": "test|run|install|build",
	"go": "test|build|vet|run|generate|install", "cargo": "test|build|run|check|clippy|bench|nextest", "dotnet": "test|build|run", "composer": "test|install",
	"mix": "test|compile|ecto.*", "flutter": "test|build", "dart": "test|run", "swift": "test|build|run", "zig": "build|test", "deno": "test|task", "rails": "test|db:*|server|s",
	"cmake": "--build", "docker": "build|buildx|ps|pull|push", "docker-compose": "up|build|ps|pull|down|start|stop|restart",
}

var (
	quietSet   = regexp.MustCompile(`^(?:[-+][aeufo]+|allexport|pipefail|errexit|nounset)$`)
	quietShell = regexp.MustCompile(`^-[lceu]*c$`)
	sourceFile = regexp.MustCompile(`^[^-].*\.(?:py|js|mjs|cjs|ts|rb|php)$`)
)

// quiet reports whether a command certainly does not print the environment or a part of it.
func quiet(words []string) bool {
	if len(words) == 0 {
		return true
	}
	name, rest := program(words[0]), words[1:]
	if verbs, ok := quietVerbs[name]; ok && len(rest) > 0 && oneOf(verbs, firstOperand(rest)) {
		return !slices.ContainsFunc(rest, func(w string) bool { return oneOf("-e|-p|--eval|--print|-x|env*|print*|show*|dump*|*:env", w) })
	}
	switch name {
	case "echo", "printf":
		return true // a variable may be printed where it is expanded
	case "set":
		return len(rest) > 0 && !slices.ContainsFunc(rest, func(w string) bool { return !quietSet.MatchString(w) })
	case "sh", "bash", "zsh", "dash":
		return len(rest) == 2 && quietShell.MatchString(rest[0])
	case "head", "tail":
		return !slices.ContainsFunc(rest, func(w string) bool { return strings.HasPrefix(w, "-") && strings.Contains(w, "c") })
	case "grep", "egrep", "rg":
		return !slices.ContainsFunc(rest, printsOnlyMatch)
	case "make", "gmake":
		return !slices.ContainsFunc(rest, func(w string) bool { return oneOf("-*p*|-*d*|*env*|print*|show*|dump*", w) })
	case "curl":
		return !slices.ContainsFunc(rest, func(w string) bool { return strings.Contains(w, "{{") || strings.HasPrefix(w, "--expand") })
	case "node", "python", "python3", "ruby", "php", "tsx", "ts-node":
		return quietScript(rest)
	case "docker", "podman", "docker-compose", "dotenv", "op", "poetry", "uv", "pipenv", "bundle":
		return quietInside(name, rest)
	}
	if tool := launched(words); tool > 0 && name != "npm" && name != "yarn" && name != "pnpm" {
		return quiet(words[tool:])
	}
	return wordlist.In(name, quietPrograms)
}

func firstOperand(words []string) string {
	if i := slices.IndexFunc(words, isOperand); i >= 0 {
		return words[i]
	}
	if len(words) > 0 {
		return words[0]
	}
	return ""
}

// quietScript reports whether an interpreter runs a file, or tests.
func quietScript(rest []string) bool {
	for i, w := range rest {
		switch {
		case w == "-m":
			return i+1 < len(rest) && oneOf("pytest|unittest|alembic|uvicorn|gunicorn", rest[i+1])
		case strings.HasPrefix(w, "--env-file="), i > 0 && rest[i-1] == "--env-file":
		case oneOf("--env-file|--test|-u|-B", w):
		default:
			return sourceFile.MatchString(w)
		}
	}
	return slices.Contains(rest, "--test")
}

// quietInside reports whether a program that runs another command runs a quiet one.
func quietInside(name string, rest []string) bool {
	if (name == "docker" || name == "podman") && len(rest) > 0 && rest[0] == "compose" {
		name, rest = "docker-compose", rest[1:]
	}
	from := 0
	switch name {
	case "docker-compose":
		for from < len(rest) && strings.HasPrefix(rest[from], "-") {
			if !strings.Contains(rest[from], "=") {
				from++
			}
			from++
		}
		return from < len(rest) && oneOf(quietVerbs[name], rest[from])
	case "dotenv", "op":
		if from = slices.Index(rest, "--") + 1; from == 0 || from == len(rest) {
			return false
		}
		return quiet(rest[from:]) && program(rest[from]) != "cat"
	case "docker", "podman":
		if len(rest) == 0 || rest[0] != "run" {
			return false
		}
		// The position of the image name is unknown: some word must start a quiet command, and no word may be one that
		// prints.
		loud := slices.ContainsFunc(rest, func(w string) bool {
			return oneOf("sh|*/sh|bash|*/bash|env|printenv|cat|echo|--entrypoint*", w)
		})
		return !loud && slices.ContainsFunc(rest, func(w string) bool { return testsOrBuilds(rest[slices.Index(rest, w):]) })
	}
	return len(rest) > 1 && oneOf("run|exec", rest[0]) && quiet(rest[1:])
}

// testsOrBuilds is [quiet] for commands that have a name of their own.
func testsOrBuilds(words []string) bool {
	name := program(words[0])
	_, verbs := quietVerbs[name]
	return len(words) > 1 && verbs && name != "docker" && quiet(words) || oneOf("make|pytest|rspec|rake|phpunit|jest|vitest|mocha|tox|mvn|gradle", name) || oneOf("python|python3|node|ruby|php", name) && quiet(words)
}
