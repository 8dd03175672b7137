package review_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"keepmum/privacy"
	"keepmum/review"
)

func labels(t *testing.T, f *review.File, act review.Act, from int64, confidences ...float64) {
	t.Helper()
	for i, c := range confidences {
		if err := f.Add(review.Label{Act: act, Proposal: from + int64(i), Why: "below_the_bar", Confidence: c,
			Title: privacy.Const("a title")}); err != nil {
			t.Fatal(err)
		}
	}
}

func TestReviewsShiftTheThresholdAndCanBeReset(t *testing.T) {
	f := review.Open(filepath.Join(t.TempDir(), "review.jsonl"))
	judge := func(c float64) review.Verdict {
		b, err := f.Bar()
		if err != nil {
			t.Fatal(err)
		}
		return b.Judge("below_the_bar", c)
	}
	if got := judge(.45); got != review.Propose {
		t.Errorf("without labels: %s", got)
	}
	labels(t, f, review.Keep, 1, .4, .42, .41, .45, .44, .43, .42)
	if got := judge(.45); got != review.Propose {
		t.Errorf("with seven labels: %s", got)
	}
	labels(t, f, review.Edit, 8, .42)
	if got := judge(.45); got != review.Promote {
		t.Errorf("all were kept: %s", got)
	}
	labels(t, f, review.Never, 20, .25, .26, .24, .22, .25, .21, .23, .26)
	if got := judge(.2); got != review.Propose {
		t.Errorf("of the surer ones half were kept: %s", got)
	}
	labels(t, f, review.Undo, 1, 0, 0, 0, 0, 0, 0, 0, 0)
	if got := judge(.2); got != review.Leave {
		t.Errorf("with the keeps undone: %s", got)
	}
	if err := f.Reset(); err != nil {
		t.Fatal(err)
	}
	if got := judge(.2); got != review.Propose {
		t.Errorf("after a reset: %s", got)
	}
}

func TestALabelAfterAnIncompleteLineIsRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "review.jsonl")
	f := review.Open(path)
	labels(t, f, review.Keep, 1, .4)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data[:len(data)-1], 0o600); err != nil { // as an editor leaves it
		t.Fatal(err)
	}
	labels(t, f, review.Keep, 2, .4)
	if b, err := f.Bar(); err != nil || b.Labels != 2 {
		t.Errorf("%v, %d labels", err, b.Labels)
	}
}

func TestLinesAreDroppedAndDamageCountsAsNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "review.jsonl")
	f := review.Open(path)
	labels(t, f, review.Drop, 1, .3)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, append(data, "{broken\n{\"title\":\"of the lighthouse\"}\n"...), 0o600); err != nil {
		t.Fatal(err)
	}
	if b, err := f.Bar(); err != nil || b.Labels != 2 {
		t.Errorf("%d labels, %v", b.Labels, err)
	}
	if n, err := f.Without("lighthouse"); n != 1 || err != nil {
		t.Errorf("%d lines, %v", n, err)
	}
	if data, err = os.ReadFile(path); err != nil || strings.Contains(string(data), "lighthouse") ||
		!strings.Contains(string(data), "a title") {
		t.Errorf("%s, %v", data, err)
	}
}
