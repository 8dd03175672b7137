package privacy

import (
	"cmp"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestFilesThatAreSecretByTheirNameOrPlace(t *testing.T) {
	g := newGate(t, Options{Home: testHome})
	for file, want := range map[string]bool{
		"/run/secrets/db": true, "~/.config/app/token": true, "~/vpn/auth.txt": true, "svn/conf/passwd": true,
		"etc/shop.htpasswd": true,
		"~/credentials.txt": true, "/vault/secrets/db": true, "/mnt/secrets-store/db": true, "/etc/secrets/db": true,
		"/etc/postfix/sasl_passwd": true, "/run/secrets/*": true, "/etc/pgbouncer/userlist.txt": true,
		"/etc/exim4/passwd.client": true, "/etc/dovecot/users": true, "/etc/openvpn/auth.txt": true, "users": false,
		"userlist.txt": false, "auth.txt": false,
		"/var/run/secrets/kubernetes.io/serviceaccount/token": true, "~/.vault-token": true, ".vault_pass.txt": true,
		".vault_pass": true, "vault_password.txt": true,
		"password.txt": true, "db_password.txt": true, "token.txt": true, "/etc/shadow": true, "/etc/shadow-": true,
		"~/.config/gh/hosts.yml": true, "~/.config/rclone/rclone.conf": true,
		"~/.bash_history": true, "~/.zsh_history": true, "~/.psql_history": true,
		"/var/jenkins_home/secrets/initialAdminPassword": true, "/etc/gitlab/initial_root_password": true,
		"/var/lib/rancher/k3s/server/node-token": true, "/etc/kubernetes/admin.conf": true, "~/.codex/auth.json": true,
		"~/.claude/.credentials.json": true,
		"k8s/secret.yaml":             true, "deploy/db-secret.yml": true, "secrets-prod.yaml": true, "env.bak": true,
		"env.production": true, ".flaskenv": true, "local.settings.json": true,
		".streamlit/secrets.toml": true, "client_secret_1.json": true, "credentials.yml": true, "rootkey.csv": true,
		".dev.vars": true, ".dev.vars.staging": true, ".envs/prod": true, ".envs/.local/.django": true, ".env.d/db": true,
		"group_vars/all/vault.yml": true, "wp-config.php": true, "/x/%2eenv": true, ".env:1-20": true, "config/.env:3": true,

		"vault.go": false, "dev.vars": false, "envs/prod": false, "a%2fb": false, "a-1:2-3": false,
		"config.json": false, "settings.json": false, "env.go": false, "env.d.ts": false, "environment.prod.ts": false,
		"env.example": false, "secret.go": false, "secrets.md": false, "token.go": false, "tokens.txt": false,
		"password_test.go": false, "passwords.md": false, "docs/secrets.md": false, "sealed-secret.yaml": false,
		"k8s/external-secrets.yaml": false, "charts/app/templates/secret.yaml": false, "deployment.yaml": false,
		"/run/secrets/$NAME": true, "~/.ssh/$f": true, "$dir/$f": false, "$f": false, "v$VERSION": false, "$f.txt": false,
		"/elsewhere/*.txt": false,
		"/etc/passwd":      false, "/etc/hosts": false, "/etc/nginx/nginx.conf": false, "/run/app.pid": false,
		"/var/run/docker.sock": false, "history.go": false, "auth.json.go": false, "settings.xml": false,
		"hosts.yml": false, ".gitignore": false, ".env.example": false,
	} {
		t.Run(file, func(t *testing.T) {
			if got := denied(t, g, bash("cat "+file)); got != want {
				t.Errorf("denied is %v", got)
			}
		})
	}
}

func TestLinesOfFilesDeniedByTheirPlace(t *testing.T) {
	g := newGate(t, Options{})
	in := "a.go:3:red\n/run/secrets/db:1:blue\nk8s/db-secret.yaml:2:blue\n"
	want := "a.go:3:red\n[EXCLUDED:path]\n"
	null := g.Event(Raw{Tool: "Grep", Input: map[string]any{"pattern": "x"},
		Output: "a.go\x00red\n.env\x00SHOP_MODE=blue\n"}).Output.Text().String()
	if strings.Contains(null, "blue") || !strings.Contains(null, "red") {
		t.Errorf("names that end with a zero byte: %q", null)
	}
	for _, dir := range []string{"/src", ""} {
		got := g.Event(Raw{Tool: "Grep", Dir: dir, Input: map[string]any{"pattern": "x"}, Output: in}).Output.Text().String()
		if got != want {
			t.Errorf("in %q: %q", dir, got)
		}
	}
	inside := g.Event(Raw{Tool: "Grep", Dir: "/run/secrets", Input: map[string]any{"pattern": "x"},
		Output: "db:1:blue\n"}).Output.Text().String()
	if inside != "[EXCLUDED:path]\n" {
		t.Errorf("in the directory itself: %q", inside)
	}
}

// A token, a secret and secrets/db are also packages, tests and branches: such a name denies only a file that is there.
func TestFilesThatAreNamedLikeOrdinaryWords(t *testing.T) {
	g, dir := newGate(t, Options{Home: testHome}), t.TempDir()
	for file, mode := range map[string]os.FileMode{
		"jwt_secret": 0o600, "secrets/smtp": 0o600, "secrets/prod.yaml": 0o600, "a/token": 0o600, "secrets/load": 0o700,
		"secrets/index.ts": 0o600, "secrets/readme.md": 0o600, "src/secrets/schema.json": 0o600, "b/token/a.go": 0o600,
	} {
		file = filepath.Join(dir, file)
		if err := cmp.Or(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, nil, mode)); err != nil {
			t.Fatal(err)
		}
	}
	for command, want := range map[string]bool{
		"cat jwt_secret": true, "head ./secrets/smtp": true, "cat secrets/prod.yaml": true, "cd a && cat token": true,
		"./secrets/load": false, "cat secrets/index.ts": false, "cat secrets/readme.md": false, "ls secrets": false,
		"cat src/secrets/schema.json": false, "go test ./b/token": false, "grep -rn x b/token": false, "rg jwt_secret": false,
		"pytest -k db_password": false, "git push origin fix/db-password": false, "kubectl delete secrets/db": false,
	} {
		e := bash(command)
		e.Dir = dir
		if got := denied(t, g, e); got != want {
			t.Errorf("%s: denied is %v", command, got)
		}
	}
	found := g.Event(Raw{Tool: "Grep", Dir: dir, Input: map[string]any{"pattern": "x"},
		Output: "secrets/index.ts:3:red\nsecrets/prod.yaml:1:blue\nsecrets/gone.yaml:1:red\n"}).Output.Text().String()
	if strings.Contains(found, "blue") || strings.Count(found, "red") != 2 {
		t.Errorf("found by grep: %q", found)
	}
}
