package privacy

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/hex"
	"slices"
	"strings"
	"testing"

	"keepmum/privacy/known"
)

func TestNamesOfSecrets(t *testing.T) {
	for name, want := range map[string]bool{
		"DB_PASSWORD": true, "dbPassword": true, "db-password": true, "API_KEY": true, "apiKey": true, "APIKEY": true,
		"STRIPE_SECRET": true, "GH_TOKEN": true, "SENTRY_AUTH_TOKEN": true, "DATABASE_URL": true, "TOKEN_URL": true,
		"SSH_PRIVATE_KEY": true, "JWT": true, "_auth": true, "PGPASS": true, "pwd": false, "SLACK_WEBHOOK": true,
		"REDIS_DSN": true, "app.secret.key": true,
		"PWD": false, "OLDPWD": false, "PATH": false, "TOKEN_TTL": false, "AUTH_TOKEN_EXPIRES": false,
		"PASSWORD_MIN_LENGTH": false, "PASSWORD_FILE": false, "SECRET_NAME": false, "JWT_ISSUER": false,
		"JWT_ALGORITHM": false, "PUBLIC_KEY": false, "AWS_ACCESS_KEY_ID": false, "KEYBOARD": false, "HOSTNAME": false,
		"LANG": false, "monkey": false, "DEBUG": false,
	} {
		if got := known.SecretName(name); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestHarmlessValues(t *testing.T) {
	for value, want := range map[string]bool{
		"hunter2!": false, "korrekt-pferd": false, "s3cr3t": false, "postgres://a:b1c2d3@h/x": false, "/v9$x!qqq": false,
		"12345678": false,
		"3000":     true, "300000": true, "production": true, "localhost": true, "http://localhost:3000": true,
		"https://example.com/a/b": true, "/usr/local/bin": true, "/workspace": true, "./x/y": true, "~/x": true,
		`C:\Users\x`: true, "${OTHER}": true, "<your key>": true, "{{ secret }}": true, "changeme": true,
		"your_key_here": true, "xxxxxxxx": true, "password": true, "short": true, "": true,
	} {
		if got := known.HarmlessValue(value); got != want {
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
		{"JSON", `{"client_secret":"x\"yzzy1","name":"shop","nested":{"apiKey":"q1w2e3r4"}}`, []string{`x\"yzzy1`,
			`x"yzzy1`, "q1w2e3r4"}},
		{"YAML", "db:\n  password: gabel77\n  host: db.example.com\n", []string{"gabel77"}},
		{"URL", "U=postgres://app:p4ssw0rd@db/x", []string{"postgres://app:p4ssw0rd@db/x", "p4ssw0rd"}},
		{"netrc", "machine h login u password kiesel9", []string{"kiesel9"}},
		{"random, whatever its name", "ID=Zk8mQ2vX9wLpT4rB7nYs", []string{"Zk8mQ2vX9wLpT4rB7nYs"}},
		{"ids and hashes", "GIT_SHA=da39a3ee5e6b4b0d3255bfef95601890afd80709\nID=123e4567-e89b-12d3-a456-426614174000\n",
			nil},
		{"code", "func main() { token := next(); return key == nil }", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := known.Harvest(c.text)
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

// What a command printed that prints secrets is taken out when somebody says it.
func TestWhatWasDroppedIsKnownAgain(t *testing.T) {
	for _, c := range []struct{ command, output, value string }{
		{"pass show work/db", "Marder819dorf!\n", "Marder819dorf!"},
		{"kubectl get secret db -o jsonpath={.data.p} | base64 -d", "Lerchen800horst\n", "Lerchen800horst"},
		{"kubectl get secret db -o yaml", "data:\n  p: TGVyY2hlbjgwMGhvcnN0\n", "Lerchen800horst"},
		{"cat .env", "MAIL=Wiesel113furt\n", "Wiesel113furt"},
		{"vault kv get -field=pw secret/db", "PSidSSxFyVyQXtZHbPdV\n", "PSidSSxFyVyQXtZHbPdV"},
		{"printenv DB_PASS", "t0pf-Deckel!", "t0pf-Deckel!"},
	} {
		g := newGate(t, Options{Home: testHome})
		shown := bash(c.command)
		shown.Session, shown.Output = "s", map[string]any{"stdout": c.output, "stderr": "", "interrupted": false}
		g.Event(shown)
		said := g.Event(Raw{Session: "s", Fields: map[string]string{"text": "I will log in with bob and " + c.value +
			" for it"}})
		if strings.Contains(said.Fields["text"].String(), c.value) {
			t.Errorf("after %s: %q", c.command, said.Fields["text"])
		}
	}
}

// What has no digit, nothing but digits, or is in a denied file that a program
// packed, is known as well.
func TestValuesOfEveryKindAreKnownAgain(t *testing.T) {
	packed := func(text string) string {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		z.Write([]byte(text))
		z.Close()
		return b.String()
	}
	archived := func(text string) string {
		var b bytes.Buffer
		a := tar.NewWriter(&b)
		a.WriteHeader(&tar.Header{Name: ".env", Size: int64(len(text)), Mode: 0o600})
		a.Write([]byte(text))
		a.Close()
		return b.String()
	}
	wrapped := func(text string) string {
		var out strings.Builder
		for ; len(text) > 76; text = text[76:] {
			out.WriteString(text[:76] + "\n")
		}
		return out.String() + text + "\n"
	}
	base := func(text string) string { return wrapped(base64.StdEncoding.EncodeToString([]byte(text))) }
	same := func(text string) string { return text }
	for _, value := range []string{"tZqWvbXkRnGhpLd", "hQvTzKwRmXbNcJgPfLdYsVkq", "qzvwkxjrtpbnmhgfdlcs", "837462910583",
		"harbour velvet cactus ladder", "harbour-velvet-cactus-ladder", "hV7nD2sKq9XwB4mTcP", "Marder819dorf!"} {
		for command, print := range map[string]func(string) string{
			"cat .env": same, "base64 .env": base,
			"xxd -p .env":           func(s string) string { return wrapped(hex.EncodeToString([]byte(s))) },
			"hexdump -C .env":       func(s string) string { return hex.Dump([]byte(s)) },
			"gzip -c .env | base64": func(s string) string { return base(packed(s)) },
			"tar c .env | base64":   func(s string) string { return base(archived(s)) },
			"tar cz .env | base64":  func(s string) string { return base(packed(archived(s))) },
		} {
			g := newGate(t, Options{Home: testHome})
			shown := bash(command)
			shown.Session, shown.Output = "s", print("MODE=blue\nAPP_THING="+value+"\nREGION=eu-west-1\n")
			g.Event(shown)
			said := g.Event(Raw{Session: "s", Fields: map[string]string{"text": "so the thing is " + value + " in eu-west-1"}})
			if got := said.Fields["text"].String(); strings.Contains(got, value) || !strings.Contains(got, "eu-west-1") {
				t.Errorf("after %s: %q", command, got)
			}
		}
	}
}

func TestAPasswordOfLettersIsKnownAgain(t *testing.T) {
	for _, value := range []string{"tZqWvbXkRnGhpLd", "hQvTzKwRmXbNcJgPfLdYsVkq", "qzvwkxjrtpbnmhgfdlcs",
		"harbour-velvet-cactus-ladder"} {
		for _, told := range []string{"the password for staging is " + value, "DB_PASSWORD=" + value} {
			g := newGate(t, Options{})
			g.Event(Raw{Session: "s", Fields: map[string]string{"text": told}})
			said := g.Event(Raw{Session: "s", Fields: map[string]string{"text": "Yes, the thing " + value + " is used."}})
			if got := said.Fields["text"].String(); strings.Contains(got, value) {
				t.Errorf("after %q: %q", told, got)
			}
		}
	}
}

// A version, a host or a setting that a file of settings has is no secret.
func TestSettingsOfADeniedFileStayWords(t *testing.T) {
	g := newGate(t, Options{Home: testHome})
	shown := bash("cat .env")
	shown.Session, shown.Output = "s",
		"IMAGE=postgres15\nAPP_VERSION=v1.2.3-beta4\nREGION=eu-west-1\nHOST=db1.intern\nNODE_ENV=production\n"
	g.Event(shown)
	text := "we run postgres15 in eu-west-1 on db1.intern with v1.2.3-beta4 in production"
	said := g.Event(Raw{Session: "s", Fields: map[string]string{"text": text}})
	if got := said.Fields["text"].String(); got != text {
		t.Errorf("%q", got)
	}
}
