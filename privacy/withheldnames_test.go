package privacy

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"keepmum/privacy/known"
	"keepmum/privacy/scan"
	"keepmum/privacy/sessions"
)

func TestOutputOfCommandsThatPrintSecretsIsDropped(t *testing.T) {
	g := newGate(t, Options{Home: testHome})
	for _, command := range []string{
		"env", "printenv", "set", "export", "export -p", "declare -x", "declare -p", "typeset -x", "env | sort", "sudo env",
		"env -0", "printenv MAIL", "printenv PATH MAIL", "env | tee /dev/stderr | wc -l", "env >&2 | wc -l",
		"env; env | wc -l", "bash -c 'env >&2' | wc -l", "{ env; env >&2; } | wc -l", "env | grep -i mail",
		"env | grep -o . | wc -c; env", "env | wc -l >&2; printenv", "docker inspect c --format '{{.Config.Env}}'",
		"docker inspect c --format '{{json .}}'", "docker inspect c --format '{{.State.Status}}{{.Config.Env}}'",
		"docker inspect c -f '{{.State.Status}}' -f '{{json .Config}}'",
		"docker compose config --services --environment", "docker compose config --format json", "pass ls work/db",
		"openssl pkey -in k -pubout -text", "openssl rsa -in k", "ls Env:", "gci env:", "/usr/bin/env",
		"docker exec web env", "docker compose exec -T web printenv", "kubectl exec pod -- env",
		"ssh host printenv", "ssh host 'env | grep X'", "bash -c env", "bash -c 'set'", "xargs printenv",
		"timeout 3 env", "true; env", "if true; then env; fi", "(env)", "env 2>&1", "env | tee log",
		"kubectl get secret db -o yaml", "kubectl -n prod get secrets -o json",
		"kubectl get secret/db -o jsonpath='{.data.p}' | base64 -d", "kubectl config view --raw",
		"aws secretsmanager get-secret-value --secret-id x", "aws ssm get-parameter --name x --with-decryption",
		"aws configure get aws_secret_access_key", "aws --profile p sts get-session-token", "aws ecr get-login-password",
		"gcloud auth print-access-token", "gcloud auth application-default print-access-token",
		"gcloud secrets versions access latest --secret=x", "az keyvault secret show --name x",
		"az account get-access-token",
		"gh auth token", "gh auth status --show-token", "op read op://v/i/f", "op item get x", "bw get password x",
		"pass show x", "pass email/x", "vault kv get secret/x", "vault read x", "docker compose config",
		"docker-compose config", "docker inspect web", "heroku config", "heroku config:get X", "vercel env pull",
		"terraform output", "terraform output -json", "tofu state pull", "git credential fill <<< x",
		"printf 'host=x' | git credential fill", "security find-generic-password -w -s x", "secret-tool lookup a b",
		"ansible-vault view x.yml", "sops -d x.yml", "sops decrypt x", "gpg -d x", "gpg --decrypt x", "age -d x",
		"history", "history 20", "npm token list", "doppler secrets", "pulumi config --show-secrets",
		"systemctl show-environment", "ssh-keygen -y -f k", "openssl rand -hex 20",
		"npm run env", `python3 -c "import os; print(os.environ)"`, `python3 -c 'import os; print(dict(os.environ))'`,
		"node -p process.env", `node -e "console.log(process.env)"`,
		`node -e 'console.log(JSON.stringify(process.env,null,1))'`, `ruby -e 'p ENV'`, `ruby -e 'puts ENV.to_h'`,
		`perl -e 'print "$_=$ENV{$_}\n" for keys %ENV'`, "python3 - <<'EOF'\nimport os\nprint(os.environ)\nEOF",
		"echo $(gh auth token)", "echo \"$(op read x)\"", "T=$(gh auth token); echo $T",
		"T=`gh auth token`; printf '%s' \"$T\"", "cat <<< $(gh auth token)", "gh auth token | cat",
		"gh auth token | base64", "x=1 gh auth token", "gh auth token || true", "set -x; X=$(gh auth token); ls",
	} {
		t.Run(command, func(t *testing.T) {
			c := g.Event(bash(command))
			if out := c.Output.JSON().String(); strings.Contains(out, "blue") {
				t.Errorf("kept: %s", out)
			}
		})
	}
}

func TestOutputOfCommandsThatOnlyUseASecretIsKept(t *testing.T) {
	g := newGate(t, Options{Home: testHome})
	for _, command := range []string{
		"env FOO=1 make", "printenv PATH", "printenv HOME NODE_ENV", "env | wc -l", "export | wc -l", "env | grep -c x",
		"env | grep -q CI && echo yes", "docker inspect c --format '{{.State.Status}}'",
		"docker inspect --format='{{.Name}} {{.State.ExitCode}}' c", "docker compose config --services",
		"docker compose -f a.yml config -q", "pass ls", "openssl pkey -in k -pubout", "env -i PATH=/bin ls", "set -e",
		"set -euo pipefail && make", "export PATH=/x", "declare -a list", "export FOO=1 BAR=2; make",
		"GH_TOKEN=$(gh auth token) gh api user", "curl -H \"Authorization: Bearer $(gh auth token)\" https://x",
		"gh auth status", "gh auth login", "kubectl get secrets", "kubectl get pods -o yaml", "aws s3 ls",
		"aws ssm get-parameter --name x", "gcloud auth list", "docker compose up", "docker ps", "terraform plan",
		"terraform apply", "git status", "gpg --verify x", "pass", "vault status", "npm install", "environment",
		"printenvx", "gh pr list", "echo env", "echo set", "man env", "grep env README.md", "which env",
		"history.sh", "op --version", "sops --version", "heroku ps", "npx env-cmd make",
		`python3 -c "import os; print(os.environ['HOME'])"`, `node -e "console.log(process.env.NODE_ENV)"`,
	} {
		t.Run(command, func(t *testing.T) {
			c := g.Event(bash(command))
			if out := c.Output.JSON().String(); !strings.Contains(out, "blue") {
				t.Errorf("dropped: %s", out)
			}
		})
	}
}

func TestAnEnvironmentKeepsItsNames(t *testing.T) {
	g := newGate(t, Options{})
	in := "HOME=/home/dev\nPATH=/bin DB=x\nDB_PASSWORD=hunter2\nexport A=\"b c\"\ndeclare -x B=\"d\"\nKEY=-----BEGIN " +
		"X-----\nc2VjcmV0\n-----END X-----\nEMPTY=\n"
	want := "HOME=/home/dev\nPATH=[EXCLUDED:output]\nDB_PASSWORD=[EXCLUDED:output]\nexport " +
		"A=[EXCLUDED:output]\ndeclare -x B=[EXCLUDED:output]\nKEY=[EXCLUDED:output]\n[EXCLUDED:output]\nEMPTY=\n"
	r := Raw{Tool: "Bash", Input: map[string]any{"command": "env"}, Output: in}
	got := g.Event(r).Output.Text().String()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	r.Output = got
	if diff := cmp.Diff(want, g.Event(r).Output.Text().String()); diff != "" {
		t.Error(diff)
	}
}

func TestToolsNamedAfterSecretsLoseTheirOutput(t *testing.T) {
	g := newGate(t, Options{})
	for tool, want := range map[string]bool{"mcp__vault__read_secret": true, "mcp__aws__get_secret_value": true,
		"getCredentials": true, "mcp__x__list_passwords": false, "Read": false, "get_token_count": false,
		"create_secret": false} {
		c := g.Event(Raw{Tool: tool, Input: map[string]any{"id": "x"}, Output: "it is blue"})
		if gone := !strings.Contains(c.Output.Text().String(), "blue"); gone != want {
			t.Errorf("%s: dropped is %v", tool, gone)
		}
	}
}

func TestAValueSeenInADeniedFileIsTakenOutOfTheSession(t *testing.T) {
	g := newGate(t, Options{})
	env := "# app\nPORT=3000\nNODE_ENV=production\nURL=http://localhost\nDB_PASSWORD=hunter2!\nexport API_KEY='q1w2e3 " +
		"r4'\nDATABASE_URL=postgres://app:s3cr3t.pw@db:5432/x\nSIGNED=Zk8mQ2vX9wLpT4rB7nYs\n{\"client_secret\": " +
		"\"blau\\\"gruen\"}\n"
	g.Event(Raw{Session: "s", Tool: "Read", Input: map[string]any{"file_path": ".env"}, Output: env})
	for _, c := range []struct {
		name, text string
		gone       bool
	}{
		{"password", "the mail to hunter2! failed", true},
		{"glued to an option", "mysql -phunter2! -u app", true},
		{"in JSON", `{"a":"blau\"gruen"}`, true},
		{"spaces", "the key q1w2e3 r4 is", true},
		{"base64", "Authorization aHVudGVyMiE= x", true},
		{"hex", "68756e7465723221", true},
		{"URL", "at postgres://app:s3cr3t.pw@db:5432/x", true},
		{"password of the URL", "pw s3cr3t.pw", true},
		{"random", "sig Zk8mQ2vX9wLpT4rB7nYs", true},
		{"random in base64", "x" + "eCBaazhtUTJ2WDl3THBUNHJCN25ZcyB5", true},
		{"port", "listening on 3000", false},
		{"mode", "built for production", false},
		{"address", "see http://localhost", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := g.Event(Raw{Session: "s", Output: c.text}).Output.Text().String()
			if (got != c.text) != c.gone {
				t.Errorf("%q became %q", c.text, got)
			}
			if other := g.Event(Raw{Session: "other", Fields: map[string]string{"note": c.text}}); c.name == "password" &&
				other.Fields["note"].String() != c.text {
				t.Errorf("another session: %q", other.Fields["note"])
			}
		})
	}
}

func TestTheMemoryOfSessionsIsBounded(t *testing.T) {
	m := known.NewMemory()
	for i := range 3 * sessions.Max {
		m.Learn(fmt.Sprint("session ", i), []string{"hunter2!x"})
	}
	if n := m.ByID.Len(); n != sessions.Max {
		t.Errorf("%d sessions are kept", n)
	}
	for i := range 3 * scan.MaxValues {
		m.Learn("one", []string{fmt.Sprintf("value-%d-x", i)})
	}
	if n := m.ByID.Peek("one").Count; n > scan.MaxValues {
		t.Errorf("%d values are kept", n)
	}
}
