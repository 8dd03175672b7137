package recall

import (
	"strings"
	"testing"
	"time"

	"keepmum/store"
)

func TestOnlyAWithdrawalAndNothingElseTakesBackWhatWasJustSaid(t *testing.T) {
	const rule = "from now on lockers are cleaned every Monday, because the gym reopens then"
	for _, text := range []string{"scratch that", "no, scrap that", "No, scrap that.", "never mind that rule",
		"don't remember that", "no, don't remember that please", "forget what I just said", "sorry, scratch that rule!"} {
		if !withdraws(text, "Noted, I'll keep that in mind.", rule) {
			t.Errorf("%q takes nothing back", text)
		}
		turns := momentsOf([]store.Line{{ID: 1, Text: rule}, {ID: 2, Text: text}}, nil)
		if st := stated(turns[1]); st.settles != 0 {
			t.Errorf("%q settles %.1f", text, st.settles)
		}
	}
	for _, text := range []string{"undo", "undo that", "revert the last commit", "never mind, found it", "never mind",
		"forget it", "drop the rule", "no", "scratch that. Lockers are cleaned whenever there is time", "scratch that itch",
		"don't forget that", "remember that", "scrap that page", "scrap the cache", "no, use the other one"} {
		if withdraws(text, "", rule) {
			t.Errorf("%q takes back what was said before it", text)
		}
	}
	for _, offer := range []string{"Shall I delete the old table, too?", "Done. If you like, I can also add a reminder.",
		"Done. Let me know if the table should go.", "Notiert. Ich kann auch eine Erinnerung anlegen."} {
		if withdraws("no, scratch that", offer, rule) {
			t.Errorf("what refuses %q takes back what was said before", offer)
		}
	}
	for _, said := range []string{rule + ". The header needs to be blue.", "are lockers always cleaned on Mondays?"} {
		if withdraws("scratch that", "", said) {
			t.Errorf("%q is taken back", said)
		}
	}
}

func TestAWithdrawalMayRefuseWhatTheAgentOfferedOrDid(t *testing.T) {
	const rule = "> from now on lockers are cleaned every Monday, because the gym reopens then"
	for _, c := range [][]string{
		{rule, "Shall I tell the staff, too?", "The rule is in the handbook now.", "> no, scratch that"},
		{rule, "I can tell the staff, too.", "The rule is in the handbook now.", "> scratch that"},
		{rule, "+ handbook.md", "The rule is in the handbook now.", "> scratch that"},
	} {
		lines := chat(c...)
		if d := digestOf(lines); d.withdrawn != nil {
			t.Errorf("%q takes back the task", c)
		}
		if turns := momentsOf(lines, nil); c[1][0] != '+' && turns[0].withdrawn != 0 {
			t.Errorf("%q takes back the rule", c)
		}
	}
}

func TestAWithdrawnStatementIsToldAsTakenBack(t *testing.T) {
	const lockers = "from now on lockers are cleaned every Monday, because the gym reopens then"
	line := func(id int64, text string) store.Line {
		role := []store.Role{store.RoleAssistant, store.RoleUser}[id%2]
		return store.Line{ID: id, At: id, Type: store.KindPrompt, Role: string(role), Text: text}
	}
	lines := []store.Line{line(1, lockers), line(2, "The lockers are cleaned every Monday now."), line(3, "scratch that"),
		line(4, "The rule about the lockers is gone."), line(5, "lockers are painted instead, always, since they rust")}
	turns := momentsOf(lines, nil)
	for i, want := range []int64{3, 0, 0} {
		if turns[i].withdrawn != want {
			t.Errorf("turn %d is withdrawn by %d", i, turns[i].withdrawn)
		}
	}
	w := newWriter(Ask{Tokens: 400, MaxEntries: 5, Now: time.UnixMilli(0)}, nil)
	st := stated(turns[0])
	st.withdrawn = turns[0].withdrawn
	w.settled(st, maxBest, maxBest)
	w.session(store.SessionRow{Agent: "claude"}, digestOf(lines[:4]))
	for told := range strings.SplitSeq(strings.TrimSpace(strings.Join(w.lines, "\n")), "\n") {
		if !strings.Contains(told, "reopens then\" (1), taken back by 3") {
			t.Errorf("told %s", told)
		}
	}
	if len(w.lines) != 2 {
		t.Errorf("told %q", w.lines)
	}
	if d := digestOf(lines); d.withdrawn != nil || d.task.ID != 5 {
		t.Errorf("the next task is withdrawn: %+v", d)
	}
	old := statement{session: 2, kind: store.KindPrompt, said: "lockers are cleaned every Tuesday"}
	if st.session = 1; st.amends(&old) {
		t.Error("what was taken back replaces what was said before")
	}
	if st.withdrawn = 0; !st.amends(&old) {
		t.Error("the statement replaces nothing even if it stands")
	}
}
