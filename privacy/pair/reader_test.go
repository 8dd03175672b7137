package pair

import (
	"slices"
	"strings"
	"sync"
	"testing"

	"keepmum/privacy/scan"
)

// readers read a text with the readers of this package alone.
var readers = sync.OnceValue(func() *scan.RuleSet {
	set, err := scan.NewRuleSet(scan.Readers{
		Triggers: []scan.Trigger{
			{Words: SecretWords, IDs: []string{"password", "secret-value", "random-token"}, Run: Name},
			{Words: []string{"values"}, Run: Inserted},
			{Words: []string{"from stdin"}, Run: Copied},
			{Words: []string{"default"}, Run: BlockDefault},
			{Words: OtherLanguageWords(), Run: NameInOtherLanguage},
		},
		First:  func(*scan.Scanner) {},
		Last:   func(s *scan.Scanner) { work.followed, work.names, work.marked = s.Followed, s.Names, s.Marked },
		Unwrap: func(string) (string, func([]scan.Span) []scan.Span, bool) { return "", nil, false },
		Value:  ValueAfter,
	})
	if err != nil {
		panic(err)
	}
	return set
})

// work is what the last reading took.
var work struct {
	followed, names int
	marked          []scan.Stretch
}

// read returns the spans of a text, and fails where they are not those of any text.
func read(t testing.TB, text string) []scan.Span {
	t.Helper()
	spans := readers().Read(text, scan.Options{})
	if again := readers().Read(strings.Clone(text), scan.Options{}); !slices.Equal(spans, again) {
		t.Errorf("%.60q: %v, then %v", text, spans, again)
	}
	for _, s := range spans {
		if s.Start < 0 || s.Start >= s.End || s.End > len(text) {
			t.Fatalf("%.60q: [%d, %d) in %d bytes", text, s.Start, s.End, len(text))
		}
	}
	return scan.Merge(spans)
}

// plain returns a text without the marks «» around its secrets.
func plain(marked string) string { return strings.NewReplacer("«", "", "»", "").Replace(marked) }

// mark puts marks around the spans of a text.
func mark(text string, spans []scan.Span) string {
	return scan.Replace(text, spans, func(s scan.Span) string { return "«" + text[s.Start:s.End] + "»" })
}

// checkMarked reads each text without its marks, and expects what is between them.
func checkMarked(t *testing.T, texts ...string) {
	t.Helper()
	for _, want := range texts {
		text := plain(want)
		if got := mark(text, read(t, text)); got != want {
			t.Errorf("got  …%q\nwant …%q", got[max(0, len(got)-200):], want[max(0, len(want)-200):])
		}
	}
}

// Made up: one is a password in any notation, the others are random.
const (
	pw  = "Tulpe77#feld"
	key = "q8Zt3LwV0yKc5RmX2nBd7HsJ"
)
