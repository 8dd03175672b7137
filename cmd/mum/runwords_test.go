package main

import (
	"strings"
	"testing"

	"keepmum/api"
	"keepmum/distill"
	"keepmum/extract"
	"keepmum/memory"
)

func TestEachFateAndReasonOfARunHasPlainWords(t *testing.T) {
	for _, a := range []memory.Action{memory.Noop, memory.Add, memory.Update, memory.Supersede, memory.History,
		memory.Instead, memory.Reject, distill.Proposed, distill.Dropped} {
		if fates[string(a)] == "" {
			t.Errorf("no words for what became of a candidate: %s", a)
		}
	}
	for _, o := range []memory.Operation{memory.OpMerge, memory.OpArchive, memory.OpConsolidate, memory.OpRestore} {
		if fates[string(o)] == "" {
			t.Errorf("no words for what maintenance did: %s", o)
		}
	}
	for _, r := range []memory.Reason{memory.BadPrimitive, memory.LowConfidence, memory.ShortTitle, memory.ShortBody,
		memory.BodyIsTitle, memory.Placeholder, memory.SpeaksToModel, memory.SessionOnly, memory.ToldByCode, memory.Same,
		memory.Similar, memory.Contradicts, memory.OtherValue, memory.Outdated, memory.WasArchived, memory.New,
		memory.Forgotten, memory.NearDuplicate, memory.ExactDuplicate, memory.Faded, memory.Junk, memory.Superseded,
		memory.CutShort, memory.Capacity} {
		if reasons[string(r)] == "" {
			t.Errorf("no words for the reason %s", r)
		}
	}
	for _, w := range []extract.Why{extract.Unsure, extract.ByAgent, extract.NoObject, extract.TakenBack,
		extract.Repeated, extract.TooMany} {
		if reasons[string(w)] == "" {
			t.Errorf("no words for the reason %s", w)
		}
	}
}

func TestANewcomerReadsWhatARunDid(t *testing.T) {
	for _, c := range []struct {
		line api.RunLine
		want string
	}{
		{api.RunLine{Kind: "session", Session: "claude/5f0c", Project: "shop", Action: "looked_at", Steps: 41,
			Candidates: 2, By: "heuristic"},
			"  session claude/5f0c of shop: read 41 steps, by the built-in rules; 2 things that it may teach:"},
		{api.RunLine{Kind: "session", Session: "codex/0199", Project: "shop", Action: "looked_at", Steps: 12,
			Reason: "no_signal"}, "  session codex/0199 of shop: read 12 steps, by the built-in rules: " +
			"nothing in it reads like something to remember"},
		{api.RunLine{Kind: "session", Session: "claude/5f0c", Project: "shop", Action: "skipped", Reason: "private session"},
			"  session claude/5f0c of shop: skipped: private session"},
		{api.RunLine{Kind: "candidate", Form: "decision", Action: "add", Reason: "new", Confidence: .77,
			Title: "We round half to even"},
			`    kept as a new memory: "We round half to even" (decision, 77 % sure; nothing similar was known)`},
		{api.RunLine{Kind: "candidate", Form: "learning", Action: "drop", Reason: "no_object", Confidence: .3,
			Title: "It reads local times"},
			`    not kept: "It reads local times" (learning, 30 % sure; it does not say what it is about)`},
		{api.RunLine{Kind: "step", Action: "merge", Memory: "use-sqlc", Into: "use-sqlc-for-queries",
			Reason: "near_duplicate"},
			"    use-sqlc: merged into use-sqlc-for-queries: nearly a duplicate of another memory"},
	} {
		if got := traceLine(c.line); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
		if got := traceLine(c.line); strings.Contains(got, "_") {
			t.Errorf("a code is printed: %s", got)
		}
	}
}
