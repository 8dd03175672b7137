package shell

import (
	"slices"
	"strings"

	"keepmum/lazyregexp"
)

// taint records what kind of command this is says about its output.
func (s *reader) taint(words []string, redirected bool, at place) {
	p := policyOf(words)
	if p == Keep && runsOthers(program(words[0])) {
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
	switch name {
	case "echo", "printf", "print", "cat", "tee", "write-output", "write-host":
	default:
		return
	}
	if slices.ContainsFunc(words, func(w string) bool { return strings.Contains(w, Secret) }) {
		s.Tainted = append(s.Tainted, s.group)
		s.Output = DropOutput
	}
}

// taintByTokens is [reader.taint] for text that does not parse.
func (s *reader) taintByTokens(text string) {
	for line := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune("\n;|&(){}`", r) }) {
		if words := strings.Fields(line); len(words) > 0 && len(words) < 256 {
			s.taint(words, false, place{})
		}
	}
}

// runsOthers reports whether a command's operands may be another command.
func runsOthers(name string) bool {
	switch name {
	case "sudo", "doas", "docker", "podman", "kubectl", "oc", "ssh", "xargs", "timeout", "watch", "env", "exec", "su", "poetry", "pipenv", "uv", "npx", "direnv",
		"dotenv", "busybox", "flock", "unshare", "chroot", "nsenter", "heroku", "fly", "flyctl", "vagrant", "docker-compose", "nix", "conda", "parallel", "script",
		"nomad", "lxc", "incus", "wsl", "cmd", "op", "doppler", "infisical", "chamber", "aws-vault", "tsh", "gcloud", "railway", "render", "find",
		"microk8s", "minikube", "k3s", "k0s", "rke2", "bundle", "multipass", "limactl", "distrobox", "toolbox", "mise":
		return true
	}
	return false
}

// policyOf returns what may be stored of the output of a command of this kind.
func policyOf(words []string) Policy {
	name, rest := canonical(program(words[0])), words[1:]
	if asksHarmless(name, rest) {
		return Keep
	}
	switch name {
	case "env", "set", "export", "declare", "typeset", "readonly", "local", "gci", "get-childitem", "get-item", "dir", "ls":
		return listsEnvironment(name, rest)
	case "printenv":
		if !slices.ContainsFunc(rest, isOperand) {
			return DropValues
		}
		if slices.ContainsFunc(rest, func(w string) bool { return !HarmlessVariable(w) }) {
			return DropOutput
		}
		return Keep
	case "history", "fc":
		return DropOutput
	case "compgen", "docker", "podman", "docker-compose", "heroku", "vercel", "netlify", "railway", "doppler", "fly", "flyctl":
		if prints(secretPrinters, name, rest) && !slices.ContainsFunc(rest, func(w string) bool { return oneOf("auth|auth:token|tokens", w) }) {
			return DropValues
		}
	}
	switch {
	case prints(secretPrinters, name, rest), name == "oc" && prints(secretPrinters, "kubectl", rest), asksMetadata(name, rest):
		return DropOutput
	case extractsSecret(name, rest), slices.ContainsFunc(rest, isNoise):
		return DropFields
	}
	return Keep
}

// canonical returns the name that the tables use for an alias of a program.
func canonical(name string) string {
	switch name {
	case "k", "kubecolor":
		return "kubectl"
	case "tf":
		return "terraform"
	case "podman-compose":
		return "docker-compose"
	case "gpg2":
		return "gpg"
	}
	return name
}

// metadataHost matches the addresses at which a cloud gives a machine its credentials.
var metadataHost = lazyregexp.New(`(?i)(?:169\.254\.169\.254|169\.254\.170\.\d+|100\.100\.100\.200|fd00:ec2::254|metadata\.google\.internal|//metadata/).*(?:credential|token|identity|user-?data|customdata|attributes)`)

// asksMetadata reports whether a command asks a cloud for the credentials of a machine.
func asksMetadata(name string, rest []string) bool {
	switch name {
	case "curl", "wget", "http", "https", "xh", "irm", "iwr", "invoke-restmethod", "invoke-webrequest":
		return slices.ContainsFunc(rest, metadataHost.MatchString)
	}
	return false
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
		if strings.ToLower(w) == "env:" || strings.HasPrefix(strings.ToLower(w), `env:\`) {
			return DropValues
		}
		if isOperand(w) && !(name == "env" && strings.Contains(w, "=")) {
			operands++
		}
	}
	switch name {
	case "env", "export", "declare", "typeset", "readonly":
		if operands == 0 {
			return DropValues
		}
		if name != "env" && name != "export" && slices.Contains(rest, "-p") {
			return DropValues
		}
	case "set":
		if len(rest) == 0 {
			return DropValues
		}
	}
	return Keep
}

// kubeSecret lists the arguments with which kubectl reads secrets.
const kubeSecret = "secret|secrets|secret/*|secrets/*|secret,*|secrets,*|*,secret|*,secrets"

// secretPrinters lists commands that print secrets: these words must follow the name in this order, with others allowed
// in between; "a|b" are alternatives, and "^a" comes first.
var secretPrinters = map[string][]string{
	"kubectl":              {"get " + kubeSecret + " -o*|--output*|--template*", "-o*|--output*|--template* get " + kubeSecret, "get -o*|--output*|--template* " + kubeSecret, "describe " + kubeSecret, "edit " + kubeSecret, "create secret -o*", "config view --raw", "create token"},
	"oc":                   {"whoami -t", "whoami --show-token", "extract"},
	"aws":                  {"get-secret-value", "get-parameter|get-parameters|get-parameters-by-path --with-decryption", "configure get", "configure export-credentials", "get-login-password", "get-session-token", "assume-role*", "get-authorization-token", "create-access-key", "generate-db-auth-token", "batch-get-secret-value", "get-random-password"},
	"gcloud":               {"auth print-*", "auth application-default print-*", "secrets versions access", "config config-helper", "iam service-accounts keys create", "auth describe"},
	"az":                   {"keyvault secret show|download", "account get-access-token", "storage account keys", "storage account show-connection-string", "keys list", "list-keys", "acr credential", "ad sp create*", "acr login --expose-token", "ad app credential", "connection-string", "appsettings list"},
	"argocd":               {"admin initial-password"},
	"gh":                   {"auth token", "auth status -t|--show-token"},
	"glab":                 {"auth status -t|--show-token", "config get token"},
	"op":                   {"read", "item get", "document get", "inject", "signin"},
	"bw":                   {"get", "list", "unlock", "export"},
	"rbw":                  {"get"},
	"lpass":                {"show", "export"},
	"pass":                 {"show", "-c", "*"},
	"gopass":               {"show", "cat", "*"},
	"vault":                {"kv get", "read", "token create", "token lookup", "print token", "login", "write *", "unwrap", "operator init|rekey|generate-root"},
	"consul":               {"kv get", "acl bootstrap", "acl token create|read"},
	"nomad":                {"acl bootstrap", "acl token create", "var get"},
	"kubeadm":              {"token create", "^init"},
	"cf":                   {"^env"},
	"eb":                   {"^printenv"},
	"etcdctl":              {"get"},
	"docker":               {"compose config|convert", "inspect", "container inspect", "secret inspect", "swarm join-token|init"},
	"docker-compose":       {"config|convert"},
	"podman":               {"inspect", "secret inspect --showsecret", "compose config"},
	"heroku":               {"config*", "auth:token", "pg:credentials*", "redis:credentials*"},
	"vercel":               {"env pull|ls"},
	"netlify":              {"env:list", "env:get", "env:export"},
	"railway":              {"variables", "vars"},
	"fly":                  {"auth token", "tokens create", "ssh issue"},
	"flyctl":               {"auth token", "tokens create"},
	"doppler":              {"secrets", "configure get", "secrets download"},
	"infisical":            {"secrets", "export"},
	"chamber":              {"read", "export", "env", "list"},
	"terraform":            {"output", "show", "state pull|show", "console"},
	"tofu":                 {"output", "show", "state pull|show", "console"},
	"terragrunt":           {"output", "show", "state pull"},
	"pulumi":               {"stack output --show-secrets", "config get", "config --show-secrets", "stack export"},
	"helm":                 {"get values|all|manifest"},
	"git":                  {"credential fill", "credential-store get", "credential-cache get", "config --get*|get *token*|*extraheader*|*secret*|*password*", "^config http*.extraheader"},
	"credstash":            {"get|getall"},
	"dotnet":               {"^user-secrets list"},
	"redis-cli":            {"config|CONFIG|Config get|GET *"},
	"php":                  {"artisan key:generate --show"},
	"keepassxc-cli":        {"show|clip|generate|diceware|export"},
	"berglas":              {"access"},
	"biscuit":              {"get"},
	"security":             {"find-generic-password", "find-internet-password", "dump-keychain", "export"},
	"secret-tool":          {"lookup", "search"},
	"keyring":              {"get"},
	"direnv":               {"export", "dump"},
	"rails":                {"credentials:show", "secrets:show", "^secret"},
	"rake":                 {"^secret"},
	"kwallet-query":        {""},
	"ansible-vault":        {"view", "decrypt", "edit"},
	"sops":                 {"-d", "--decrypt", "decrypt", "exec-env", "--extract"},
	"gpg":                  {"-d", "--decrypt", "--export-secret-*", "--passphrase*"},
	"age":                  {"-d", "--decrypt"},
	"age-keygen":           {""},
	"openssl":              {"enc -d", "genrsa", "genpkey", "rand", "rsa", "pkey", "pkcs12", "ec"},
	"ssh-keygen":           {"-y", "-e"},
	"wg":                   {"showconf", "genkey", "genpsk", "show * private-key"},
	"npm":                  {"run env", "token", "config get *auth*", "config ls|list -l"},
	"yarn":                 {"config get *auth*"},
	"esc":                  {"open"},
	"htpasswd":             {"-n*"},
	"mkpasswd":             {""},
	"pwgen":                {""},
	"pwqgen":               {""},
	"apg":                  {""},
	"makepasswd":           {""},
	"xkcdpass":             {""},
	"diceware":             {""},
	"snyk":                 {"config get api"},
	"doctl":                {"auth token", "compute ssh-key", "databases connection", "kubernetes cluster kubeconfig show"},
	"supabase":             {"secrets list", "status", "projects api-keys"},
	"stripe":               {"config --list"},
	"firebase":             {"login:ci", "functions:config:get", "functions:secrets:access"},
	"eas":                  {"env:list", "env:pull", "env:get"},
	"systemctl":            {"show-environment"},
	"launchctl":            {"getenv", "export"},
	"compgen":              {"-v"},
	"get-storedcredential": {""},
	"cmdkey":               {"/list"},
	"ps":                   {"eww*|auxe*|axe*"},
	"strings":              {"/proc/*/environ"},
	"ykman":                {"oath accounts code"},
	"oathtool":             {""},
}

// prints looks a command up in the table.
func prints(table map[string][]string, name string, rest []string) bool {
	return slices.ContainsFunc(table[name], func(want string) bool { return inOrder(strings.Fields(want), rest) })
}

func inOrder(want, words []string) bool {
	if len(want) > 0 && want[0][0] == '^' {
		if len(words) == 0 || words[0] != want[0][1:] {
			return false
		}
		want = want[1:]
	}
	for _, w := range words {
		if len(want) == 0 {
			break
		}
		if oneOf(want[0], w) {
			want = want[1:]
		}
	}
	return len(want) == 0
}

func oneOf(alternatives, word string) bool {
	for a := range strings.SplitSeq(alternatives, "|") {
		if a == word || strings.Contains(a, "*") && simpleGlob(a, word) {
			return true
		}
	}
	return false
}

// simpleGlob matches a pattern in which * matches anything.
func simpleGlob(glob, word string) bool {
	head, rest, _ := strings.Cut(glob, "*")
	if !strings.HasPrefix(word, head) {
		return false
	}
	word = word[len(head):]
	parts := strings.Split(rest, "*")
	for _, p := range parts[:len(parts)-1] {
		i := strings.Index(word, p)
		if i < 0 {
			return false
		}
		word = word[i+len(p):]
	}
	return strings.HasSuffix(word, parts[len(parts)-1])
}

// printsEnvironment matches code that prints the whole environment, or a secret from it.
var printsEnvironment = lazyregexp.New(`os\.environ(?:\.items\(\)|\.copy\(\))?\s*[),}]|(?:log|stringify|dir|table)\(\s*process\.env\s*[,)]|^\s*process\.env\s*$|\bENV\.(?:to_h|each|inspect|map)\b|\b(?:p|pp|puts) ENV\b|%ENV\b|phpinfo\(|\$_(?:ENV|SERVER)\s*\)|getenv\(\s*\)|(?i:(?:^|\blog\()\s*process\.env\.\w*(?:SECRET|TOKEN|PASS|PWD|KEY)\w*\s*(?:\)|$)|\bprint\(\s*os\.(?:environ|getenv)(?:\.get)?[\[(]\s*["']\w*(?:SECRET|TOKEN|PASS|PWD|KEY))`)

// Policy is what may be stored of a command's output; a greater one allows less.
type Policy int

const (
	Keep       Policy = iota
	DropFields        // standalone values are removed
	DropValues        // env-like: names are kept, values removed
	DropOutput
)
