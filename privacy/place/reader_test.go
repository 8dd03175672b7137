package place

import (
	"slices"
	"strings"
	"sync"
	"testing"

	"keepmum/privacy/scan"
)

// triggers are the readers of this package, with the words that set them off.
func triggers() []scan.Trigger {
	return slices.Concat([]scan.Trigger{
		{Words: []string{"://", `:\/\/`}, IDs: []string{"url-password"}, Run: URL},
		{Words: PEMEdges, IDs: []string{RulePEM}, Run: PEM},
		{Words: KeyBodies, Run: KeyBody},
		{Words: []string{"authorization", "cookie"}, IDs: []string{"http-credential"}, Run: Header},
		{Words: []string{"eyj"}, IDs: []string{"jwt"}, Run: JWT},
		{Words: []string{" -u ", "-u \"", "-u '", "-u=", "--user ", "--user="}, IDs: []string{scan.RulePassword},
			Run: Account},
		{Words: []string{"kind: secret"}, IDs: []string{scan.RuleSecret}, Run: Manifest},
		{Words: Commands(), Run: Command},
		{Words: []string{":5432:", ":*:*:"}, Run: Pgpass},
		{Words: []string{"\"value\"", "value:", "\"value\\\""}, Run: MarkedMember},
		{Words: []string{"\"kty\""}, Run: JWK},
		{Words: []string{"privateexponent:", "prime1:"}, Run: PrintedKey},
		{Words: []string{"\"kind\":\"secret\"", "\"kind\": \"secret\"", `\"kind\":\"secret\"`, `\"stringdata\": {`},
			Run: AppliedSecret},
		{Words: []string{"basic "}, Run: BasicPair},
		{Words: AccountCalls, Run: AccountCall},
		{Words: ConnectCalls, Run: ConnectCall},
		{Words: []string{"sqlplus "}, Run: OraclePassword},
		{Words: []string{" -p ", " -p'", " -p\""}, Run: Flagged},
		{Words: []string{"$ "}, Run: PastedCommand},
	}, RuleTriggers())
}

// readers read a text with the readers of this package alone.
var readers = sync.OnceValue(func() *scan.RuleSet {
	set, err := scan.NewRuleSet(scan.Readers{
		Triggers: triggers(),
		First:    func(*scan.Scanner) {},
		Last: func(s *scan.Scanner) {
			ByteLists(s)
			if s.Strict {
				Personal(s)
			}
			marks = s.Marks
		},
		Unwrap: func(string) (string, func([]scan.Span) []scan.Span, bool) { return "", nil, false },
		Value:  func(string, int) (int, bool) { return 0, false },
	})
	if err != nil {
		panic(err)
	}
	return set
})

var marks int // members that the last reading looked at

// found returns the spans of a text, and fails where they are not those of any text.
func found(t testing.TB, text string, strict bool) []scan.Span {
	t.Helper()
	spans := readers().Read(text, scan.Options{Strict: strict})
	if again := readers().Read(strings.Clone(text), scan.Options{Strict: strict}); !slices.Equal(spans, again) {
		t.Errorf("%.60q: %v, then %v", text, spans, again)
	}
	for _, s := range spans {
		if s.Start < 0 || s.Start >= s.End || s.End > len(text) {
			t.Fatalf("%.60q: [%d, %d) in %d bytes", text, s.Start, s.End, len(text))
		}
	}
	return scan.Merge(spans)
}

func mark(text string, spans []scan.Span) string {
	return scan.Replace(text, spans, func(s scan.Span) string { return "«" + text[s.Start:s.End] + "»" })
}

// checkMarked reads each text without its marks, and expects what is between them, alone and among other lines.
func checkMarked(t *testing.T, texts ...string) {
	t.Helper()
	for _, text := range texts {
		for _, want := range []string{text, "first line\n" + text, text + "\n\nlast line",
			"\xff ключ\r\n" + text + "\r\n"} {
			plain := strings.NewReplacer("«", "", "»", "").Replace(want)
			if got := mark(plain, found(t, plain, false)); got != want {
				t.Errorf("got  %q\nwant %q", got, want)
				break
			}
		}
	}
}

// Made up: a password that any reader takes, random keys.
const (
	pw     = "Tulpe77#feld"
	random = "q8Zt3LwV0yKc5RmX2nBd7HsJ"
	body   = "x9Kq2vTz7LmWr3Nb8YdQw5Hs1Jc6Fp4Gx9Kq2vTz7LmWr3Nb8YdQw5Hs1Jc6Fp4G"
)

// inText returns texts in which PW, KEY and BODY stand for these.
func inText(texts ...string) []string {
	for i, t := range texts {
		texts[i] = strings.NewReplacer("PW", pw, "KEY", random, "BODY", body).Replace(t)
	}
	return texts
}
