package privacy

import (
	"slices"
	"testing"
)

func TestNamesOfSecrets(t *testing.T) {
	for name, want := range map[string]bool{
		"DB_PASSWORD": true, "dbPassword": true, "db-password": true, "API_KEY": true, "apiKey": true, "APIKEY": true, "STRIPE_SECRET": true, "GH_TOKEN": true, "SENTRY_AUTH_TOKEN": true, "DATABASE_URL": true, "TOKEN_URL": true, "SSH_PRIVATE_KEY": true, "JWT": true, "_auth": true, "PGPASS": true, "pwd": false, "SLACK_WEBHOOK": true, "REDIS_DSN": true, "app.secret.key": true,
		"PWD": false, "OLDPWD": false, "PATH": false, "TOKEN_TTL": false, "AUTH_TOKEN_EXPIRES": false, "PASSWORD_MIN_LENGTH": false, "PASSWORD_FILE": false, "SECRET_NAME": false, "JWT_ISSUER": false, "JWT_ALGORITHM": false, "PUBLIC_KEY": false, "AWS_ACCESS_KEY_ID": false, "KEYBOARD": false, "HOSTNAME": false, "LANG": false, "monkey": false, "DEBUG": false,
	} {
		if got := secretName(name); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestHarmlessValues(t *testing.T) {
	for value, want := range map[string]bool{
		"hunter2!": false, "korrekt-pferd": false, "s3cr3t": false, "postgres://a:b1c2d3@h/x": false, "/v9$x!qqq": false, "12345678": false,
		"3000": true, "300000": true, "production": true, "localhost": true, "http://localhost:3000": true, "https://example.com/a/b": true, "/usr/local/bin": true, "/workspace": true, "./x/y": true, "~/x": true, `C:\Users\x`: true, "${OTHER}": true, "<your key>": true, "{{ secret }}": true, "changeme": true, "your_key_here": true, "xxxxxxxx": true, "password": true, "short": true, "": true,
	} {
		if got := harmlessValue(value); got != want {
			t.Errorf("%q: %v", value, got)
		}
	}
}

func TestHarvestTakesSecretsAndLeavesTheRest(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"env", "PORT=3000\nexport DB_PASSWORD=hunter2! # old\nMODE=production\n", []string{"hunter2!"}},
		{"quotes", `A_TOKEN="a b c d"` + "\nB_TOKEN='e f g h'\n", []string{"a b c d", "e f g h"}},
		{"JSON", `{"client_secret":"x\"yzzy1","name":"shop","nested":{"apiKey":"q1w2e3r4"}}`, []string{`x\"yzzy1`, `x"yzzy1`, "q1w2e3r4"}},
		{"YAML", "db:\n  password: gabel77\n  host: db.example.com\n", []string{"gabel77"}},
		{"URL", "U=postgres://app:p4ssw0rd@db/x", []string{"postgres://app:p4ssw0rd@db/x", "p4ssw0rd"}},
		{"netrc", "machine h login u password kiesel9", []string{"kiesel9"}},
		{"random, whatever its name", "ID=Zk8mQ2vX9wLpT4rB7nYs", []string{"Zk8mQ2vX9wLpT4rB7nYs"}},
		{"ids and hashes", "GIT_SHA=da39a3ee5e6b4b0d3255bfef95601890afd80709\nID=123e4567-e89b-12d3-a456-426614174000\n", nil},
		{"code", "func main() { token := next(); return key == nil }", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := harvest(c.text)
			for _, v := range c.want {
				if !slices.Contains(got, v) {
					t.Errorf("%q is not taken: %q", v, got)
				}
			}
			if len(c.want) == 0 && len(got) > 0 {
				t.Errorf("taken: %q", got)
			}
		})
	}
}
