package privacy

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
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
	all := got.Input.JSON().String() + got.Output.Text().String() + got.Fields["prompt"].String() + got.Fields["branch"].String()
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
