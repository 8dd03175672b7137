package known

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"

	"keepmum/privacy/patience"
	"keepmum/privacy/value"
)

const (
	maxVaultFile  = 64 << 10 // bytes read from one file
	maxVaultFiles = 48       // files of one project
	maxVaultDirs  = 64       // directories below the project's that are searched
)

// ownFiles returns where tools store the user's credentials.
func (v *Vault) ownFiles() []string {
	if v.home == "" {
		return nil
	}
	var out []string
	for f := range strings.FieldsSeq(`.netrc _netrc .npmrc .pgpass .pypirc .my.cnf .git-credentials .aws/credentials
		.docker/config.json .config/gh/hosts.yml .kube/config .env .config/hub .vault-token .cargo/credentials.toml
		.terraform.d/credentials.tfrc.json`) {
		out = append(out, filepath.Join(v.home, filepath.FromSlash(f)))
	}
	return out
}

// projectFiles returns the denied files in dir, in the directories above it up to the root of the repository, and a
// little below it.
func projectFiles(dir, home string) []string {
	var out []string
	if !filepath.IsAbs(dir) || strings.HasPrefix(dir, `\\`) || strings.HasPrefix(dir, "//") {
		return nil
	}
	for at, up := filepath.Clean(dir), 0; up < 12; up++ {
		if at == filepath.Clean(home) || filepath.Dir(at) == at {
			break // home is not a project; [Vault.ownFiles] covers it
		}
		out = append(out, envFiles(at)...)
		if _, err := os.Lstat(filepath.Join(at, ".git")); err == nil {
			break
		}
		at = filepath.Dir(at)
	}
	out = append(out, below(dir)...)
	return out[:min(len(out), maxVaultFiles)]
}

// below returns the denied files in the directories below one, two levels deep, as in a monorepo.
func below(dir string) []string {
	var out []string
	looked := 0
	level := []string{dir}
	for range 2 {
		var next []string
		for _, d := range level {
			for _, sub := range subdirs(d) {
				if looked++; looked > maxVaultDirs {
					return out
				}
				out = append(out, envFiles(sub)...)
				next = append(next, sub)
			}
		}
		level = next
	}
	return out
}

func subdirs(dir string) []string {
	var out []string
	for _, e := range entries(dir) {
		switch name := e.Name(); {
		case !e.IsDir(), strings.HasPrefix(name, "."),
			value.InList(name, " node_modules vendor dist build target __pycache__ "):
		default:
			out = append(out, filepath.Join(dir, name))
		}
	}
	return out
}

func entries(dir string) []os.DirEntry {
	f, err := os.Open(dir)
	if err != nil {
		return nil
	}
	defer f.Close()
	list, _ := f.ReadDir(1024)
	return list
}

func envFiles(dir string) []string {
	var out []string
	for _, e := range entries(dir) {
		if isEnvFile(strings.ToLower(e.Name())) && !e.IsDir() {
			out = append(out, filepath.Join(dir, e.Name()))
		}
	}
	return out
}

// isEnvFile reports whether a denied file contains names and values.
func isEnvFile(name string) bool {
	switch name {
	case ".env.example", ".env.sample", ".env.template":
		return false
	case ".env", ".envrc", ".dev.vars", ".npmrc", ".pypirc", ".netrc", ".pgpass", ".my.cnf", "credentials.json",
		"secrets.yml", "secrets.yaml", "kubeconfig", ".git-credentials":
		return true
	}
	return strings.HasPrefix(name, ".env.") || strings.HasSuffix(name, ".env") || strings.HasSuffix(name, ".tfvars") ||
		strings.HasPrefix(name, "service-account") && strings.HasSuffix(name, ".json")
}

// stampsOf returns the state of files without reading them. Missing files have none.
func stampsOf(files []string) map[string]stamp {
	out := make(map[string]stamp, len(files))
	for _, f := range files {
		if info, err := os.Stat(f); err == nil && info.Mode().IsRegular() {
			out[f] = stamp{info.Size(), info.ModTime()}
		}
	}
	return out
}

// fill adds the secrets of files and of an environment to a set.
func fill(set *ValueSet, files, env []string) {
	for _, f := range files {
		for _, v := range fileSecrets(f) {
			AddForms(set, v)
		}
	}
	for _, line := range env {
		name, value, ok := strings.Cut(line, "=")
		if ok && (SecretName(name) && !HarmlessValue(value) || userinfo.MatchString(value)) {
			AddForms(set, value)
		}
	}
}

// AddForms adds a value in all forms in which it may appear.
func AddForms(set *ValueSet, v string) {
	for _, f := range Forms(v) {
		set.Add(f)
	}
}

// fileSecrets returns the secrets of one file.
func fileSecrets(file string) []string {
	text := patience.ReadStart(file, maxVaultFile)
	if filepath.Base(file) == ".pgpass" { // the other fields are names, even if they look random
		return pgpass(text)
	}
	out := Harvest(text)
	switch filepath.Base(file) {
	case "config.json", "config":
		out = append(out, dockerAuths(text)...)
	case ".vault-token":
		out = append(out, strings.TrimSpace(text))
	}
	return out
}

// pgpass returns the passwords of host:port:database:user:password lines.
func pgpass(text string) []string {
	var out []string
	lines := bufio.NewScanner(strings.NewReader(text))
	for lines.Scan() {
		parts := strings.SplitN(strings.ReplaceAll(lines.Text(), `\:`, "\x00"), ":", 5)
		if len(parts) == 5 { // also in a line that is commented out
			if v := strings.ReplaceAll(parts[4], "\x00", ":"); !HarmlessValue(v) {
				out = append(out, v)
			}
		}
	}
	return out
}

// dockerAuths returns the passwords from the user:password pairs that docker stores in base64.
func dockerAuths(text string) []string {
	var config struct {
		Auths map[string]struct {
			Auth string `json:"auth"`
		} `json:"auths"`
	}
	if json.Unmarshal([]byte(text), &config) != nil {
		return nil
	}
	var out []string
	for _, a := range config.Auths {
		plain, err := base64.StdEncoding.DecodeString(a.Auth)
		if _, password, ok := strings.Cut(string(plain), ":"); err == nil && ok && !HarmlessValue(password) {
			out = append(out, password, a.Auth)
		}
	}
	return out
}
