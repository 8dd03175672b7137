package store

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestOfALongTextTheRarestWordsCount(t *testing.T) {
	var terms []term
	for i := range 3 * maxTerms {
		df := float64(0) // every third word is new
		if i%3 > 0 {
			df = float64(3*maxTerms - i)
		}
		terms = append(terms, term{stem: fmt.Sprint(i), df: df})
	}
	got := telling(terms)
	if len(got) != maxTerms {
		t.Fatalf("%d terms", len(got))
	}
	fresh := 0
	for i, x := range got {
		switch {
		case x.df == 0:
			fresh++
		case i > 0 && x.df < got[i-1].df, x.df > maxTerms:
			t.Errorf("term %d is in %v documents", i, x.df)
		}
	}
	if fresh != maxTerms/3 {
		t.Errorf("%d of %d words are new, as a third of the text", fresh, maxTerms)
	}
	if got := telling(terms[:maxTerms]); len(got) != maxTerms || got[0].stem != "0" {
		t.Errorf("of a short text, all in their order: %d terms, %q first", len(got), got[0].stem)
	}
}

func TestAQueryHasTheFirstWordsOfAText(t *testing.T) {
	var words []string
	for i := range 10 * maxTerms {
		words = append(words, "quay"+string([]byte{byte('a' + i/26), byte('a' + i%26), 'x'}))
	}
	text := strings.Join(words, " ")
	if got := parse(text); len(got) != maxTerms || got[maxTerms-1].word != words[maxTerms-1] {
		t.Errorf("%d terms", len(got))
	}
	if got := contentTerms(text); len(got) < 4*maxTerms || len(got) > 4*maxTerms+8 {
		t.Errorf("%d terms of a long text are read", len(got))
	}
}

func TestAQuestionBelowALongPasteIsSearchedFor(t *testing.T) {
	db := openTest(t)
	var paste []string
	for i := range 2 * maxTerms {
		paste = append(paste, "frame"+string([]byte{byte('a' + i/26), byte('a' + i%26), 'x'}))
	}
	for range 3 {
		put(t, db, "p", "log", strings.Join(paste, " "))
	}
	want := put(t, db, "p", "rule", "the tide gauge is read before the lock is opened")
	res := search(t, db, Query{Text: strings.Join(paste, " ") + "\nWhat about the tide gauge?"})
	if !slices.Contains(ids(res), want) {
		t.Errorf("only the paste was searched for: %v", ids(res))
	}
}
