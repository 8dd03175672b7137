package privacy

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"keepmum/longtest"
	"keepmum/privacy/judge"
	"keepmum/privacy/scan"
)

func TestWhySaysTheRuleAndTheWord(t *testing.T) {
	g := newGate(t, Options{})
	const text = "db_password=Tulpe77feld!\nhttps://kim:Gurke88feld@db.example\nTulpe77feld! again\n"
	got, err := g.Why(text)
	if err != nil {
		t.Fatal(err)
	}
	want := []Reason{
		{From: 12, To: 24, Rule: "password", Word: "pass", Looks: "several sorts of characters"},
		{From: 37, To: 48, Rule: "url-password", Word: "://"},
		{From: 60, To: 72, Rule: "password", Looks: "several sorts of characters", Again: true},
	}
	if j := got.Reasons[0].Judged; j == nil || j.Score < j.Threshold || len(j.Decided) == 0 {
		t.Errorf("the value of a name is judged by %+v", j)
	}
	got.Reasons[0].Judged = nil
	if diff := cmp.Diff(want, got.Reasons); diff != "" {
		t.Error(diff)
	}
}

// The words of a value are features, but nobody is told how they begin.
func TestWhySaysNothingOfTheWordsOfAValue(t *testing.T) {
	g := newGate(t, Options{})
	for _, v := range []string{"client-secret-service", "token.required.value", "user_Address_9"} {
		got, err := g.Why("db_password = \"" + v + "\"\n")
		if err != nil {
			t.Fatal(err)
		}
		decided := [][]judge.Contribution{}
		for _, r := range got.Reasons {
			if r.Judged != nil {
				decided = append(decided, r.Judged.Decided)
			}
		}
		if got.Nearest != nil {
			decided = append(decided, got.Nearest.Decided)
		}
		for _, d := range slices.Concat(decided...) {
			if strings.HasPrefix(d.Feature, "named.value.word=") {
				t.Errorf("%q: %s", v, d.Feature)
			}
		}
	}
}

func TestWhySaysWhatTheJudgeWeighed(t *testing.T) {
	const text = "Log in as kai, the password on the staging box is still Kaikante-Nord-48.\n\nmy vpn is " +
		"Marble.Otter.Lane since monday\n"
	for level, taken := range map[string]int{judge.Normal: 1, judge.High: 1} {
		got, err := newGate(t, Options{Sensitivity: level}).Why(text)
		if err != nil || len(got.Reasons) < taken || got.Nearest == nil {
			t.Fatalf("at %s: %+v, %v", level, got, err)
		}
		kept := text[got.Nearest.From:got.Nearest.To]
		if j := got.Nearest.Judgement; len(j.Decided) == 0 || !j.RuledOut && j.Score >= j.Threshold {
			t.Errorf("at %s %q stayed because of %+v", level, kept, j)
		}
		for _, d := range got.Nearest.Decided {
			if strings.Contains(d.Says, kept) || d.Says == "" {
				t.Errorf("%s is explained by %q", d.Feature, d.Says)
			}
		}
	}
}

// What is watched is what happens: --why must not find other things than the gate.
func TestWatchingTheJudgeChangesNothing(t *testing.T) {
	sets, err := filepath.Glob("../testdata/privacy/*.jsonl")
	if err != nil || len(sets) == 0 {
		t.Fatal(sets, err)
	}
	weighed := 0
	for _, set := range sets {
		for i, l := range labelledSet(t, set) {
			if !longtest.Every(12, i) {
				continue
			}
			plain := sharedRules().Read(l.Text, scan.Options{})
			watched := sharedRules().Read(l.Text, scan.Options{Watch: func(scan.Judged) { weighed++ }})
			if diff := cmp.Diff(plain, watched); diff != "" {
				t.Errorf("%q: %s", l.Text, diff)
			}
		}
	}
	if weighed == 0 {
		t.Error("nothing was weighed")
	}
}
