package scan

import (
	"slices"
	"testing"
)

func TestOverlappingSpansBecomeOne(t *testing.T) {
	for _, c := range []struct {
		name string
		in   []Span
		want []Span
	}{
		{"apart", []Span{{Start: 5, End: 7, Rule: "a"}, {Start: 1, End: 3, Rule: "b"}},
			[]Span{{Start: 1, End: 3, Rule: "b"}, {Start: 5, End: 7, Rule: "a"}}},
		{"side by side", []Span{{Start: 1, End: 3, Rule: "a"}, {Start: 3, End: 5, Rule: "b"}},
			[]Span{{Start: 1, End: 3, Rule: "a"}, {Start: 3, End: 5, Rule: "b"}}},
		{"empty", []Span{{Start: 4, End: 4, Rule: "a"}}, nil},
		{"a vendor's rule that saw nearly all names it",
			[]Span{{Start: 0, End: 20, Rule: RuleSecret}, {Start: 2, End: 20, Rule: "github-pat"}},
			[]Span{{Start: 0, End: 20, Rule: "github-pat"}}},
		{"one that saw half does not",
			[]Span{{Start: 0, End: 20, Rule: RuleSecret}, {Start: 10, End: 20, Rule: "github-pat"}},
			[]Span{{Start: 0, End: 20, Rule: RuleSecret}}},
		{"the value of a part does not name the whole",
			[]Span{{Start: 0, End: 5, Rule: "a", Value: "x"}, {Start: 3, End: 9, Rule: "a"}},
			[]Span{{Start: 0, End: 9, Rule: "a"}}},
	} {
		if got := Merge(slices.Clone(c.in)); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %v, want %v", c.name, got, c.want)
		}
	}
}

func TestPlaceholdersAreTakenOutOfSpans(t *testing.T) {
	for _, c := range []struct {
		name  string
		span  Span
		holes [][2]int
		want  [][2]int
	}{
		{"none", Span{Start: 2, End: 8}, nil, [][2]int{{2, 8}}},
		{"inside", Span{Start: 2, End: 8}, [][2]int{{4, 6}}, [][2]int{{2, 4}, {6, 8}}},
		{"over the beginning", Span{Start: 2, End: 8}, [][2]int{{0, 5}}, [][2]int{{5, 8}}},
		{"over all", Span{Start: 2, End: 8}, [][2]int{{2, 8}}, nil},
		{"behind", Span{Start: 2, End: 8}, [][2]int{{8, 9}}, [][2]int{{2, 8}}},
	} {
		var got [][2]int
		for _, s := range Subtract([]Span{c.span}, c.holes) {
			got = append(got, [2]int{s.Start, s.End})
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: got %v, want %v", c.name, got, c.want)
		}
	}
}

func TestSpansAreReplacedInPlace(t *testing.T) {
	got := Replace("a secret and more", []Span{{Start: 2, End: 8}, {Start: 13, End: 17}}, func(Span) string { return "#" })
	if got != "a # and #" {
		t.Errorf("got %q", got)
	}
}

func TestAFloodOfValuesIsFoundAsAFewAre(t *testing.T) {
	values := map[string]string{}
	for _, v := range []string{"alpha-1", "beta-22", "gamma-333", "delta-4444", "epsilon-5", "zeta-66", "eta-777",
		"theta-8888", "iota-99999"} {
		values[v] = "password"
	}
	const text = "x gamma-333 y theta-8888theta-8888 z alpha-12"
	var few []Span
	for v := range values {
		few = append(few, NewFinder(map[string]string{v: "password"}).In(text)...)
	}
	many := NewFinder(values).In(text)
	if got, want := Merge(many), Merge(few); !slices.Equal(got, want) || len(got) != 4 {
		t.Errorf("many: %v, few: %v", got, want)
	}
}

func TestWordsAreFoundInAnyCaseAndAlphabet(t *testing.T) {
	words := []string{"pass", "password", "«ключ»", "@[]^~¤§"}
	a := NewAutomaton(words)
	var got []string
	a.Each("PassWord «ключ» @[]^~¤§", &Endings{}, func(ids []int32, end int) {
		for _, id := range ids {
			got = append(got, words[id])
		}
	})
	if want := []string{"pass", "password", "«ключ»", "@[]^~¤§"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
