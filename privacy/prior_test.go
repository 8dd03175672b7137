package privacy

import (
	"strings"
	"testing"
)

// toolCall is a tool's call; "«" and "»" are around what must not be kept of it.
type toolCall struct{ tool, input, output string }

func (c toolCall) run(t *testing.T, g *Gate) (kept, want string, secrets []string) {
	t.Helper()
	r := Raw{Session: "s", Tool: c.tool}
	for _, part := range []struct {
		text string
		to   *any
	}{{c.input, &r.Input}, {c.output, &r.Output}} {
		if part.text == "" {
			continue
		}
		for rest := part.text; strings.Contains(rest, "«"); {
			_, secret := marked(rest)
			secrets = append(secrets, secret)
			_, rest, _ = strings.Cut(rest, "»")
		}
		*part.to = decoded(t, strings.NewReplacer("«", "", "»", "").Replace(part.text))
		want += string(mustJSON(t, *part.to))
	}
	out := g.Event(r)
	for _, tree := range []Tree{out.Input, out.Output} {
		if !tree.IsZero() {
			kept += tree.JSON().String()
		}
	}
	return kept, want, secrets
}

func TestThePlaceOfAValueMakesItSecret(t *testing.T) {
	for _, c := range []toolCall{
		{"mcp__ci__set_secret", `{"name":"DB","value":"«Reiher336hain!»"}`, ""},
		{"create_secret", `{"name":"DB","value":"«tulipfield»"}`, ""},
		{"mcp__gh__secrets_put", `{"secrets":[{"name":"A","value":"«Reiher336hain»"}]}`, ""},
		{"mcp__x__addCredential", `{"user":"bob","value":"«rose garden 7»"}`, ""},
		{"mcp__aws__put_parameter", `{"name":"/prod/x","value":"«Reiher336hain!»"}`, ""},
		{"mcp__gl__update_variable", `{"key":"MAIL","value":"«Reiher336hain»"}`, ""},
		{"mcp__vault__write", `{"path":"secret/db","data":{"db":"«Ginster337moor!»","host":"db7.example.org"}}`, ""},
		{"mcp__vault__kv", `{"path":"kv/db"}`, `[{"type":"text","text":"{\"data\":{\"db\":\"«Ginster337moor!»\"}}"}]`},
		{"mcp__ci__set_secret", `{"arguments":"{\"name\":\"DB\",\"value\":\"«tulipfield»\"}"}`, ""},
		{"mcp__vault__kv", `{"path":"kv/db"}`, `{"data":{"db":"«Ginster337moor!»"}}`},
		{"mcp__sh__exec", `{"cmd":["mysql","-u","root","-p«Kiefer338furt!»"]}`, ""},
		{"mcp__sh__exec", `{"command":"mysql","args":["-u","root","-p«kieferfurt»"]}`, ""},
		{"mcp__k8s__pod", `{}`, `{"command":["redis-server"],"args":["--port","6379","--requirepass","«Kiefer338furt»"]}`},
		{"Bash", `{"command":"P=«Falken376burg!»; curl -u admin:$P https://x"}`, ""},
		{"Bash", `{"command":"A=«Falken376burg»; PGPASSWORD=$A psql -h db"}`, ""},
		{"Bash", `{"command":"for p in «Falken376burg» «Falken377burg»; do curl -u bob:$p https://x; done"}`, ""},
		{"Bash", `{"command":"export P=\"«Falken376burg»\"\nmysql -u root -p\"$P\" shop"}`, ""},
		{"Bash", `{"command":"printf '«Falken376burg!»\\n«Falken376burg!»\\n' | passwd bob"}`, ""},
		{"Bash", `{"command":"printf '%s\\n' «tulipfield» | sudo smbpasswd -s -a bob"}`, ""},
		{"Bash", `{"command":"echo bob:«Moos88stein» | sudo chpasswd"}`, ""},
		{"Bash", `{"command":"su - bob -c ls <<< «Herbst19wind»"}`, ""},
		{"Bash", `{"command":"smbpasswd -s bob <<EOF\n«Herbst19wind»\n«Herbst19wind»\nEOF"}`, ""},
		{"mcp__chrome__fill", `{"uid":"1_password","value":"«Lerchen344stein!»"}`, ""},
		{"mcp__chrome__fill", `{"elements":[{"id":"e3","label":"Password","value":"«Lerchen344stein»"}]}`, ""},
		{"browser_type", `{"ref":"login-password","text":"«Lerchen344stein»"}`, ""},
		{"x", `{}`, `[{"type":"text","text":"password:"},{"type":"text","text":"«Falken364moor!»"}]`},
		{"x", `{}`, `["user:","bob","Password: ","«Falken364moor»"]`},
		{"x", `{"passwords":["«Tulpe77feld»","«Gurke!88xx»"],"tokens":{"a":"«Kranich#12»"}}`, ""},
		{"x",
			`{"password":{"value":"«Tulpe77feld»"},"secret":{"dev":"«Gurke!88xx»"},"secrets":{"stage":{"mail":"«Tulpe78feld»"}}}`,
			""},
		{"x", "", `{"Parameter":{"Name":"/prod/x","Type":"SecureString","Value":"«Winter-Rose»"}}`},
		{"x", "", `{"db_x":{"sensitive":true,"type":"string","value":"«tulipfield»"}}`},
		{"x", "", `{"id":"https://v.vault.azure.net/secrets/db/1","value":"«Gurke88xx»"}`},
		{"x", "", `{"id":"x","type":"CONCEALED","label":"pin","value":"«4711»"}`},
		{"x", "", `{"cookies":[{"name":"auth","value":"«bl4uwal#Z»"}]}`},
		{"x", "", `{"kind":"Secret","metadata":{"name":"db"},"data":{"db":"«VHVscGU3N2ZlbGQ=»"}}`},
		{"x", "", `{"kty":"EC","crv":"P-256","d":"«jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI»"}`},
		{"AskUserQuestion", "", `{"answers":{"What is the password?":"«Gurke88xx»"}}`},
	} {
		kept, _, secrets := c.run(t, newGate(t, Options{}))
		if len(secrets) == 0 {
			t.Fatalf("%v marks nothing", c)
		}
		for _, s := range secrets {
			if strings.Contains(kept, s) {
				t.Errorf("%s: %s is in %s", c.tool, s, kept)
			}
		}
		if strings.Contains(kept, "db7") != strings.Contains(c.input, "db7") {
			t.Errorf("%s: too much is gone: %s", c.tool, kept)
		}
	}
}

func TestAnOrdinaryPlaceMakesNothingSecret(t *testing.T) {
	for _, c := range []toolCall{
		{"mcp__ci__set_secret", `{"name":"DB","value":"${{ secrets.DB }}","description":"of the database db12345x"}`, ""},
		{"mcp__ci__list_secrets", `{"value":"Reiher336"}`, ""},
		{"create_secret_scanning_rule", `{"name":"x","value":"ACME-key-v2"}`, ""},
		{"update_setting", `{"key":"theme","value":"solarized-dark2"}`, ""},
		{"mcp__aws__put_parameter", `{"name":"/prod/region","value":"eu-central-1"}`, ""},
		{"mcp__gl__update_variable", `{"key":"IMAGE","value":"golang:1.26-alpine3.22"}`, ""},
		{"Read", `{"path":"secret/notes.md"}`, `{"data":"Version22alpha"}`},
		{"mcp__sh__exec", `{"cmd":["go","test","-run","TestPassword12","./privacy/..."]}`, `"ok"`},
		{"mcp__sh__exec", `{"command":"docker","args":["run","-p","8080:80","nginx:1.27"]}`, ""},
		{"Bash", `{"command":"F=report2024.txt; grep -n total $F; for i in 1 2; do echo $i; done"}`, ""},
		{"Bash", `{"command":"echo report2024x | grep -c su ; echo build2024run | kinit-status"}`, ""},
		{"Bash", `{"command":"U=admin; curl -u $U:$PASSWORD https://x"}`, ""},
		{"mcp__chrome__fill", `{"uid":"2_username","value":"bob2024user"}`, ""},
		{"mcp__chrome__click", `{"uid":"3_password","text":"Forgot your password?"}`, ""},
		{"x", "", `[{"type":"text","text":"Result:"},{"type":"text","text":"Build77passed"}]`},
		{"x", "", `["password","username","created2024at"]`},
		{"x", "",
			`{"password":{"type":"string","minLength":8,"description":"At least 8 letters","pattern":"^[a-z0-9]{8,}$"}}`},
		{"x", "", `{"tokens":[{"type":"Identifier","value":"parse2"},{"type":"Punctuator","value":"("}]}`},
		{"x", "", `{"secret":{"secretName":"app-tls","defaultMode":420,"optional":false}}`},
		{"x", "", `{"env":[{"name":"DB_PASSWORD","valueFrom":{"secretKeyRef":{"name":"db","key":"password"}}}]}`},
		{"x", "", `{"role":"textbox","type":"password","text":"Enter your password"}`},
		{"x", "", `{"id":"https://v.vault.azure.net/secrets/db/1","attributes":{"enabled":true,"created":1719930000}}`},
		{"x", "", `{"kind":"ConfigMap","data":{"mode":"production","region":"eu-central-1"}}`},
		{"x", "", `{"sensitive":false,"type":"string","value":"https://shop.example.org/v2"}`},
		{"x", "", `{"name":"session","value":"primary"}`},
		{"Read", "",
			`{"dependencies":{"js-tokens":{"version":"4.0.0","integrity":"sha512-RdJUflcE3cUzKiMqQgsCu06FPu9UdIJO0beYbPhHN4k6apgJtifcoCtT9bcxOpYBtpD2kCM6Sbzg4CausW/PKQ=="}}}`},
		{"Read", "",
			`{"packages":{"node_modules/passwd":{"integrity":"sha512-RdJUflcE3cUzKiMqQgsCu06FPu9UdIJO0beYbPhHN4k6apgJtifcoCtT9bcxOpYBtpD2kCM6Sbzg4CausW/PKQ=="}}}`},
	} {
		kept, want, _ := c.run(t, newGate(t, Options{}))
		if kept != want {
			t.Errorf("%s: %s became %s", c.tool, want, kept)
		}
	}
}

func TestTheValuesBesideAListOfNamesBelongToThem(t *testing.T) {
	c := newGate(t, Options{}).Event(Raw{Tool: "connect", Input: map[string]any{"names": []any{"user", "password"},
		"values": []any{"bob", "hV7nD2sKq9XwB4mTcP"}}})
	if got, want := c.Input.JSON().String(),
		`{"names":["user","password"],"values":["bob","[REDACTED:password`; !strings.HasPrefix(got, want) {
		t.Errorf("%s", got)
	}
}

// TestTheOnlyLineOfAnOutputIsALine reads a place that must begin its line in an output of one line and in a longer one.
func TestTheOnlyLineOfAnOutputIsALine(t *testing.T) {
	g := newGate(t, Options{})
	for _, text := range []string{"    Key Content        : otterlampe", "x\n    Key Content        : otterlampe"} {
		for _, key := range []string{"stdout", "output", "text"} {
			out := g.Event(Raw{Tool: "Bash", Output: map[string]any{key: text}}).Output.JSON().String()
			if strings.Contains(out, "otterlampe") {
				t.Errorf("%s: %s", key, out)
			}
		}
	}
}
