package privacy

import (
	"strings"
	"testing"
)

func TestFilesThatAreSecretByTheirNameOrPlace(t *testing.T) {
	g := newGate(t, Options{Home: testHome})
	for file, want := range map[string]bool{
		"/run/secrets/db": true, "~/.config/app/token": true, "svn/conf/passwd": true, "etc/shop.htpasswd": true,
		"docs/credentials.txt": false, "docs/logins.txt": false, "docs/vpn/authors.txt": false, "docs/token": false,
		"crates/secrets/Cargo.toml": false, "k8s/secrets/namespace.yaml": false, "migrations/add_token": false,
		"/vault/secrets/db": true, "/mnt/secrets-store/db": true, "/etc/secrets/db": true,
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
