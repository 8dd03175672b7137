package privacy

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"keepmum/privacy/rules"
	"keepmum/privacy/scan"
)

func newGate(t testing.TB, o Options) *Gate {
	t.Helper()
	if o.Key == nil {
		o.Key = []byte("a key of the tests")
	}
	g, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func decoded(t testing.TB, text string) any {
	t.Helper()
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		t.Fatal(err)
	}
	return v
}

const fakePAT = "ghp_" + "6PDjqipVJIqVLB5LzxoiGFfWd3hjOkYRBMey"

func TestASecretIsTakenOutOfEveryStringOfAnEvent(t *testing.T) {
	g := newGate(t, Options{})
	got := g.Event(Raw{
		Tool:   "Bash",
		Input:  decoded(t, `{"command":"deploy --token `+fakePAT+`","nested":[{"`+fakePAT+`":true}],"n":12}`),
		Output: "used " + fakePAT,
		Fields: map[string]string{"prompt": "my token is " + fakePAT, "branch": "fix/" + fakePAT},
	})
	all := got.Input.JSON().String() + got.Output.Text().String() + got.Fields["prompt"].String() +
		got.Fields["branch"].String()
	if strings.Contains(all, fakePAT) {
		t.Fatalf("the secret is still in %s", all)
	}
	if !strings.Contains(all, "[REDACTED:") || !json.Valid([]byte(got.Input.JSON().String())) {
		t.Fatalf("no placeholder, or no JSON: %s", all)
	}
	if got.Tool.String() != "Bash" {
		t.Fatalf("tool is %q", got.Tool)
	}
	for _, f := range got.Findings {
		if f.MAC != g.MAC(fakePAT) {
			t.Errorf("%s: the MAC is not that of the secret", f.Field)
		}
	}
}

func TestPrivateBlocksAreDropped(t *testing.T) {
	g := newGate(t, Options{})
	for _, c := range []struct{ name, in, want string }{
		{"simple", "a <private>x</private> b", "a [REDACTED:private] b"},
		{"nested, any case, attributes", "a <PRIVATE why='x'>x<private>y</private>z</Private> b", "a [REDACTED:private] b"},
		{"unclosed", "a <private>x", "a [REDACTED:private]"},
		{"escaped as in JSON", `a \u003cprivate\u003ex\u003c/private\u003e b`, "a [REDACTED:private] b"},
		{"escaped as in HTML", "a &lt;private&gt;x&lt;/private&gt; b", "a [REDACTED:private] b"},
		{"escaped, not closed", "write &lt;private&gt; around it", "write &lt;private&gt; around it"},
		{"own context", "a <mum-context n=1>x</mum-context> b", "a   b"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, _ := g.Text(c.in)
			if diff := cmp.Diff(c.want, got.String()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestAPrivateBlockMaySpanStrings(t *testing.T) {
	g := newGate(t, Options{})
	got := g.Event(Raw{Input: decoded(t, `[{"text":"a <private>"},{"text":"hidden"},{"text":"</private> b"}]`)})
	if s := got.Input.JSON().String(); strings.Contains(s, "hidden") || !strings.Contains(s, " b") {
		t.Error(s)
	}
}

func TestAnEventThatIsOnlyPrivateSaysSo(t *testing.T) {
	g := newGate(t, Options{})
	if c := g.Event(Raw{Fields: map[string]string{"prompt": " <private>x</private>\n", "cwd": "/src"}}); !c.Private {
		t.Error("only private text, and Private is false")
	}
	if c := g.Event(Raw{Fields: map[string]string{"prompt": "and <private>x</private>"}}); c.Private {
		t.Error("Private, though there is other text")
	}
}

func TestALongFieldIsCutAndTheTokenAtTheCutIsGone(t *testing.T) {
	g := newGate(t, Options{MaxField: 100})
	in := strings.Repeat("word ", 19) + "abcd" + fakePAT + strings.Repeat(" more", 50)
	got, _ := g.Text(in)
	if strings.Contains(got.String(), "abcd") || !strings.Contains(got.String(), "[CUT:") {
		t.Error(got)
	}
	again, _ := g.Text(got.String())
	if diff := cmp.Diff(got.String(), again.String()); diff != "" {
		t.Error(diff)
	}
}

func TestAFieldMayBeShorterThanTheMarkOfACut(t *testing.T) {
	g := newGate(t, Options{MaxField: 20})
	if got, _ := g.Text("a text of nearly thirty bytes"); !strings.HasSuffix(got.String(), "[CUT:12 bytes]") {
		t.Error(got)
	}
}

func TestDeepValuesAreWithheldNotWalked(t *testing.T) {
	g := newGate(t, Options{})
	deep := any("x")
	for range 20000 {
		deep = []any{deep}
	}
	if s := g.Event(Raw{Input: deep}).Input.JSON().String(); !strings.Contains(s, "[WITHHELD:depth]") {
		t.Error("not withheld")
	}
}

func TestAnUnknownModeIsRefused(t *testing.T) {
	if _, err := New(Options{Mode: "lax"}); err == nil {
		t.Error("accepted")
	}
}

// marked splits a sample into its text and the secret in it.
func marked(sample string) (text, secret string) {
	before, rest, _ := strings.Cut(sample, "«")
	secret, after, _ := strings.Cut(rest, "»")
	return before + secret + after, secret
}

func TestEveryRuleFindsItsSamplesAndLeavesTheOthers(t *testing.T) {
	set, err := scan.NewRuleSet(allReaders())
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range set.Rules {
		t.Run(r.ID, func(t *testing.T) {
			if len(r.Yes) == 0 || len(r.No) == 0 || len(r.Words) == 0 {
				t.Fatal("no samples or no words")
			}
			for _, y := range r.Yes {
				text, secret := marked(y)
				s := scan.NewScanner()
				s.Set, s.Text = &scan.RuleSet{Readers: set.Readers, Actions: only(set, r), Lengths: set.Lengths,
					Words: set.Words}, text
				set.Words.Each(text, s.Found, func(words []int32, end int) { scan.Hit(s, words, end) })
				if got := scan.Replace(text, scan.Merge(s.Spans), func(scan.Span) string { return "*" }); strings.Contains(got,
					secret) {
					t.Errorf("%s is still there", y)
				}
			}
			for _, no := range r.No {
				if s := set.Read(no, scan.Options{}); len(s) > 0 {
					t.Errorf("%s was touched", no)
				}
			}
		})
	}
}

// only keeps the actions of one rule.
func only(set *scan.RuleSet, r *rules.Rule) []scan.Action {
	out := make([]scan.Action, len(set.Actions))
	for i, a := range set.Actions {
		for _, other := range a.Rules {
			if other == r {
				out[i].Rules = []*rules.Rule{r}
			}
		}
	}
	return out
}

func TestTheKeyOfAMemberMakesItsValueSecret(t *testing.T) {
	g := newGate(t, Options{})
	for _, c := range []struct{ in, secret string }{
		{`{"password":"sunshine"}`, "sunshine"},
		{`{"db":{"DB_PASSWORD":"Tr0ub4dor&3x!9"}}`, "Tr0ub4dor&3x!9"},
		{`{"passwords":["Tr0ub4dor&3x!9"]}`, "Tr0ub4dor&3x!9"},
		{`{"name":"API_TOKEN","value":"7p3kZZl4AblV7vY7AZQ3"}`, "7p3kZZl4AblV7vY7AZQ3"},
		{`{"headers":{"Authorization":"Bearer 7p3kZZl4AblV7vY7AZQ3"}}`, "7p3kZZl4AblV7vY7AZQ3"},
		{`{"headers":{"Authorization":"Basic YWRtaW46VHIwdWI0ZG9yJjN4ITk="}}`, "YWRtaW46VHIwdWI0ZG9yJjN4ITk="},
		{`{"password":12345678}`, "12345678"},
		{`{"url":"postgres://app:Tr0ub4dor@db/prod"}`, "Tr0ub4dor"},
		{`{"stdout":"{\"client_secret\":\"f0b3a9c2d1e4f5a6b7c8\"}"}`, "f0b3a9c2d1e4f5a6b7c8"},
	} {
		got := g.Event(Raw{Input: decoded(t, c.in)}).Input.JSON().String()
		if strings.Contains(got, c.secret) || !strings.Contains(got, "[REDACTED:") {
			t.Errorf("%s became %s", c.in, got)
		}
	}
}

func TestTheKeysOfAnObjectOfSecretsAreReadWithItsName(t *testing.T) {
	g := newGate(t, Options{})
	for _, c := range []struct {
		name, key string
		gone      bool
	}{
		{"passwords", "Zq!kd83hGaTw%7", true},
		{"secrets", "Kf92hLqzWm3xTr8vBn4c", true},
		{"passwords", "qAb3dE5fG7!Wd7=", true},
		{"passwords", "kd83;G#a/Tw7", true},
		{"passwords", "config/db1", false},
		{"secrets", "vault=v2;mount", false},
		{"passwords", "minimum_length", false},
		{"passwords", "db-primary", false},
		{"secrets", "ca.crt", false},
		{"secrets", "billing-service", false},
		{"password", "minLength", false},
		{"node_modules/passwd", "Kf92hLqzWm3xTr8vBn4c", false},
		{"sheds", "Zq!kd83hGaTw%7", false},
	} {
		got := g.Event(Raw{Output: map[string]any{c.name: map[string]any{c.key: "opens the shed"}}}).Output.JSON().String()
		if gone := !strings.Contains(got, c.key); gone != c.gone || !strings.Contains(got, "opens the shed") {
			t.Errorf("%s in %s: %s", c.key, c.name, got)
		}
	}
}

func TestWhatOnlyStandsForASecretIsKept(t *testing.T) {
	g := newGate(t, Options{})
	for _, in := range []string{
		`{"password":"${DB_PASSWORD}"}`, `{"token":"<token>"}`, `{"password":"changeme"}`, `{"secretName":"my-app-tls"}`,
		`{"secretKeyRef":{"key":"token","name":"api"}}`, `{"commit":"ac946dc59c0996daeee6f529a279764017f2ed6c"}`,
		`{"session_id":"3f2b1c9e-58a1-4c3b-9b0a-6f4c2d1e0a9b"}`, `{"max_tokens":128000}`, `{"tokens":4096}`,
		`{"token_count":123456,"key":"name"}`, `{"AUTH_TOKEN_TTL":"3600"}`,
		`{"public_key":"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAISEPTFCYbfsozSptQLxEJHwBVJvwSDrtqohUmuhVI8WS me@host"}`,
		`{"code":"token = os.environ[\"GITHUB_TOKEN\"]"}`,
		`{"integrity":"sha512-LXDp8hR7C6qFo7frT/2HVOcch5+GxlxQ5sLTqZOHF9nWcecfoNBBuDN4aeaQ6+FM3sfSgZZHLU9JfrmqFXCMaA=="}`,
	} {
		want := string(mustJSON(t, decoded(t, in)))
		if got := g.Event(Raw{Input: decoded(t, in)}).Input.JSON().String(); got != want {
			t.Errorf("%s became %s", in, got)
		}
	}
}

func mustJSON(t testing.TB, v any) []byte {
	t.Helper()
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		t.Fatal(err)
	}
	return []byte(strings.TrimSuffix(b.String(), "\n"))
}

func TestATextThatIsJSONStaysJSON(t *testing.T) {
	g := newGate(t, Options{})
	for _, in := range []string{
		`{"password": 12345678, "x": [1, true]}`,
		`{"a": "password=\"abc\\u0041def12\"", "b": "x"}`,
		`{"token": "a7Kq9Zp3Xv5Lm2Rt8Wd4", "n": {"secret": "b7Kq9Zp3Xv5Lm2Rt8Wd4"}}`,
		`["PASSWORD=Tr0ub4dor&3x!9", "", "-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEAtzuVnYQ2Lk8sQm9Yw1b0f5r\n-----END RSA PRIVATE KEY-----"]`,
	} {
		got, _ := g.Text(in)
		if !json.Valid([]byte(got.String())) || got.String() == in {
			t.Errorf("%s became %s", in, got)
		}
	}
}

func TestAPanicWithholdsTheFieldAndKeepsTheRest(t *testing.T) {
	g := newGate(t, Options{})
	broken := *g.rules()
	broken.Actions = append([]scan.Action(nil), broken.Actions...)
	for i := range broken.Actions {
		broken.Actions[i] = scan.Action{Detect: func(*scan.Scanner, int) { panic("a bug") }}
	}
	g.rules = func() *scan.RuleSet { return &broken }
	got := g.Event(Raw{Tool: "Bash", Output: "token " + fakePAT, Fields: map[string]string{"branch": "main"}})
	if s := got.Output.Text().String(); s != "[WITHHELD:panic]" {
		t.Errorf("output is %q", s)
	}
	if got.Tool.String() != "Bash" || got.Fields["branch"].String() != "main" {
		t.Errorf("metadata is gone: %+v", got)
	}
}

func TestNobodyHidesAValueInAPlaceholder(t *testing.T) {
	g := newGate(t, Options{})
	for _, in := range []string{
		"[REDACTED:" + fakePAT + "#12ab]", "[REDACTED:" + strings.ToLower(fakePAT[4:]) + "#12ab] token", "[EXCLUDED:" +
			fakePAT + "]",
		"[REDACTED:password#12ab" + fakePAT + "]", "password=[REDACTED:password#12ab]" + fakePAT,
	} {
		got, _ := g.Text(in)
		if strings.Contains(got.String(), fakePAT) {
			t.Errorf("%q became %q", in, got)
		}
	}
}

func TestAPlaceholderIsKnownByItsForm(t *testing.T) {
	form := regexp.MustCompile(`^\[(?:REDACTED:(?:private|[a-z0-9][a-z0-9-]{1,47}#[0-9a-f]{4})|WITHHELD:[a-z-]{1,24}|CUT:[0-9]{1,12} bytes|EXCLUDED:[a-z-]{1,24})\]`)
	for _, text := range []string{
		"[REDACTED:private] x", "[REDACTED:jwt#0a9f]", "[REDACTED:jwt#0A9f]", "[REDACTED:jwt#0a9]", "[REDACTED:-jwt#0a9f]",
		"[REDACTED:j#0a9f]", "[REDACTED:jwt]", "[REDACTED:a b#0a9f]",
		"[REDACTED:" + strings.Repeat("r", 48) + "#0a9f]", "[REDACTED:" + strings.Repeat("r", 49) + "#0a9f]",
		"[WITHHELD:panic]", "[WITHHELD:]", "[WITHHELD:Panic]", "[EXCLUDED:path]", "[EXCLUDED:" + strings.Repeat("p", 25) +
			"]",
		"[CUT:12 bytes]", "[CUT:12]", "[CUT: bytes]", "[CUT:1234567890123 bytes]", "[REDACTED:", "[", "", "x[WITHHELD:a]",
		"[OTHER:a]",
	} {
		if got, want := scan.PlaceholderLength(text), len(form.FindString(text)); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}

// What is found beside a placeholder must not hang on the digits of its tag.
func TestTheTagOfAPlaceholderSaysNothingOfItsNeighbours(t *testing.T) {
	g := newGate(t, Options{})
	for _, tag := range []string{"edaf", "d221", "0000", "001e"} {
		for _, text := range []string{
			"account id iYgk2LmTQ0aVx8vW, client id 6fRtQmK0S2ul9bZxNe4A, client secret [REDACTED:secret-value#" + tag + "].",
			"db_username  = \"inn\"\ndb_password  = \"[REDACTED:password#" + tag + "]\"\ndomain       = \"inn.example.org\"\n",
		} {
			if got, _ := g.Text(text); got.String() != text {
				t.Errorf("tag %s: %s", tag, got)
			}
		}
	}
}

func TestTheSameSecretHasTheSameTagWithOneKeyAndNotWithAnother(t *testing.T) {
	one, other := newGate(t, Options{Key: []byte("one")}), newGate(t, Options{Key: []byte("other")})
	a, _ := one.Text("TOKEN=" + fakePAT)
	b, _ := one.Text("again: TOKEN=" + fakePAT)
	if !strings.HasSuffix(b.String(), a.String()) {
		t.Errorf("%q and %q", a, b)
	}
	if one.MAC(fakePAT) == other.MAC(fakePAT) {
		t.Error("the MAC does not depend on the key")
	}
}

func TestModeNoneTakesOnlyPrivateTextOut(t *testing.T) {
	g := newGate(t, Options{Mode: ModeNone})
	got, _ := g.Text("TOKEN=" + fakePAT + " <private>x</private>")
	if want := "TOKEN=" + fakePAT + " [REDACTED:private]"; got.String() != want {
		t.Errorf("got %q", got)
	}
}

func TestTheRulesVersionFollowsTheRules(t *testing.T) {
	if v := RulesVersion(); len(v) < 10 || v != sharedRules().Version {
		t.Errorf("version is %q", v)
	}
}

func TestIDsThatAgentsGiveAreNoSecrets(t *testing.T) {
	g := newGate(t, Options{})
	text := "session: opencode/ses_e052b2182ffeCM5roYxlbK44Iy, ref: prt_1fad4deeb001ZBoeAvGrfwp6f0, secret: " +
		"tok_e052b2182ffeCM5roYxlbK44Iy"
	got, _ := g.Text(text)
	if !strings.Contains(got.String(), "ses_e052b2182ffeCM5roYxlbK44Iy") || !strings.Contains(got.String(),
		"prt_1fad4deeb001ZBoeAvGrfwp6f0") || strings.Contains(got.String(), "tok_e052") {
		t.Errorf("got %s", got)
	}
}

func TestATokenIsCalledByItsOwnNameBehindAnyKey(t *testing.T) {
	g := newGate(t, Options{})
	token := "ghp_" + strings.Repeat("aB3dE6gH9", 4)
	for _, text := range []string{"GITHUB_TOKEN=" + token, "password: " + token, `{"api_key": "` + token + `"}`} {
		got, _ := g.Text(text)
		if !strings.Contains(got.String(), "[REDACTED:github-token#") || strings.Contains(got.String(), token) {
			t.Errorf("%s", got)
		}
	}
}
