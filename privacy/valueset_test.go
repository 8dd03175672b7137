package privacy

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"keepmum/privacy/known"
)

func newTestSet(values ...string) *known.ValueSet {
	s := known.NewValueSet([]byte("key"), 0x9e3779b97f4a7c15)
	for _, v := range values {
		s.Add(known.Form{Text: v})
	}
	return s
}

func TestAValueSetFindsItsValuesAndNothingElse(t *testing.T) {
	set := newTestSet("hunter2!", "abcdef", "longer value with spaces", "hunter2!extended")
	for _, c := range []struct {
		name, text string
		want       [][2]int
	}{
		{"alone", "hunter2!", [][2]int{{0, 8}}},
		{"inside a word", "xhunter2!x", [][2]int{{1, 9}}},
		{"two that begin alike", "a hunter2!extended", [][2]int{{2, 10}, {2, 18}}},
		{"twice", "hunter2! hunter2!", [][2]int{{0, 8}, {9, 17}}},
		{"spaces", "is longer value with spaces.", [][2]int{{3, 27}}},
		{"short, alone", "(abcdef)", [][2]int{{1, 7}}},
		{"short, in a word", "xabcdef", nil},
		{"short, behind an option", "-pabcdef", [][2]int{{2, 8}}},
		{"another", "hunter3!", nil},
		{"too short a text", "hunte", nil},
		{"other case", "HUNTER2!", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := set.Find(c.text)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestATextWithTooManyCandidatesFailsInsteadOfPassing(t *testing.T) {
	set := newTestSet()
	for i := range 200 { // the same beginning and the same end, so that only the HMAC can tell
		set.Add(known.Form{Text: "prefix" + strings.Repeat("x", i) + "-" + strings.Repeat("y", i) + "suffix"})
	}
	if _, err := set.Find(strings.Repeat("prefix", 20000)); err != nil {
		t.Errorf("a beginning alone should cost nothing: %v", err)
	}
	hostile := newTestSet()
	for i := range 64 {
		hostile.Add(known.Form{Text: strings.Repeat("a", 16+i) + "!" + strings.Repeat("a", 16)})
	}
	if _, err := hostile.Find(strings.Repeat("a", 64<<10)); err == nil {
		t.Error("the search went on for ever, or gave up in silence")
	}
}

func FuzzAValueIsFoundWherever(f *testing.F) {
	f.Add("0000000000000000000000000000000000000000000000000000000000000000", "=", "1")
	f.Add("Winter2024x", "my", " one")
	f.Add("hunter2!", "the password is ", " indeed")
	f.Add("\xff\x00\xfe___", "\xff", "\xff\x00")
	f.Fuzz(func(t *testing.T, value, before, after string) {
		if len(value) < 8 || len(value) > 4096 || len(before)+len(after) > 1<<14 {
			t.Skip()
		}
		if text := before + value + after; known.WordOnly(value) && !known.StandsAlone(text, len(before),
			len(before)+len(value)) {
			t.Skip()
		}
		places, err := newTestSet(value).Find(before + value + after)
		if err != nil {
			t.Skip()
		}
		for _, p := range places {
			if (before + value + after)[p[0]:p[1]] != value {
				t.Fatalf("%v is not the value", p)
			}
			if p[0] == len(before) {
				return
			}
		}
		t.Fatalf("not found in %q", before+value+after)
	})
}

func BenchmarkValueSet(b *testing.B) {
	set := newTestSet()
	for i := range 200 {
		set.Add(known.Form{Text: strings.Repeat("k", i%7) + "secret-value-" + strings.Repeat("z", i%31)})
	}
	text := ordinaryOutput(64 << 10)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, err := set.Find(text); err != nil {
			b.Fatal(err)
		}
	}
}
