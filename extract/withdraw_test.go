package extract

import (
	"slices"
	"testing"

	"keepmum/privacy"
)

func keptTitles(t *testing.T, texts ...string) (out []string) {
	t.Helper()
	for _, c := range heuristic().Extract(t.Context(), messages(testGate(t), texts...), nil).Candidates {
		out = append(out, c.Title.String())
	}
	return out
}

const (
	lockers     = "from now on lockers are cleaned every Monday, because the gym reopens then"
	gen         = "never touch the generated files in gen/, because they are overwritten"
	byHand      = "never edit the migrations by hand, because they are generated"
	useVitest   = "No, we use vitest, not jest"
	noDeploy    = "Never deploy on Fridays"
	messageRule = "From now on the commit messages are written in German. Now add the button to the form."
)

func TestARuleThatIsWithdrawnIsNotKept(t *testing.T) {
	for _, c := range [][]string{
		{lockers, "scratch that"},
		{lockers, "No, scrap that."},
		{lockers, "no, don't remember that"},
		{lockers, "Hm. Never mind that rule."},
		{lockers, "please don't save that in memory"},
		{lockers, "I changed my mind."},
		{lockers, "forget about the lockers rule"},
		{lockers, "drop the lockers rule"},
		{useVitest, "scratch that"},
		{noDeploy, "forget the deploy rule"},
		{"use pnpm instead of npm from now on", "scratch that"},
		{"ab jetzt werden die Schränke jeden Montag geputzt, weil das Studio dann öffnet", "Nein, streich das wieder."},
		{"ab jetzt werden die Schränke jeden Montag geputzt, weil das Studio dann öffnet", "merk dir das doch nicht"},
		{"a partir de ahora las facturas se envían a fin de mes", "no, olvida eso"},
		{gen, "add the column", "sorry, forget what I said about gen/"},
		{gen, "add the column", "I changed my mind, edit gen/ freely"},
	} {
		got := heuristic().Extract(t.Context(), messages(testGate(t), c...), nil)
		if len(got.Candidates) != 0 || len(got.Below) != 1 || got.Below[0].Why != TakenBack {
			t.Errorf("%q: %v, %v", c, got.Candidates, got.Below)
		}
	}
}

func TestTalkAboutTheWorkWithdrawsNoRule(t *testing.T) {
	for _, c := range [][]string{
		{lockers, "undo"},
		{lockers, "undo that"},
		{lockers, "revert the last commit"},
		{lockers, "never mind, found it"},
		{lockers, "never mind"},
		{lockers, "forget it, I do it myself"},
		{lockers, "never mind, I found the lockers page"},
		{lockers, "don't forget the lockers page"},
		{lockers, "add the column", "scratch that"},
		{lockers, "scratch that button, it is ugly"},
		{lockers, "scratch that. The header should be blue"},
		{messageRule, "scratch that"},
		{gen, "the tests in gen/ no longer fail"},
		{gen, "go back to gen/ and look again"},
		{gen, "revert your changes in gen/"},
		{gen, "drop the folder gen/ from the list of paths"},
		{gen, "I changed my mind about the generator of the charts"},
		{byHand, "undo the migrations that you changed"},
		{lockers, "scratch that. Lockers are cleaned whenever there is time"},
		{lockers, "scratch that. Write in the list of lockers that it is monthly"},
		{messageRule, "no, don't remember that"},
		{lockers + ". The header should be blue.", "scratch that"},
		{lockers + "\n\n```\nthe log\n```", "scratch that"},
		{"rename the shop to store and from now on always say store in the docs", "scratch that"},
		{"From now on always do I/O in a thread of the pool", "I changed my mind, I want the button red"},
		{"From now on the docs are generated and/or copied by make", "scrap the button and the header"},
	} {
		if got := keptTitles(t, c...); len(got) != 1 {
			t.Errorf("%q: kept %q", c, got)
		}
	}
}

// What is only proposed is not taken back by talk about the work either.
func TestTalkAboutTheWorkWithdrawsNoProposal(t *testing.T) {
	const retries = "let's keep the retry count at 3 because the provider blocks more"
	for _, c := range [][]string{
		{useVitest, "undo the jest changes"},
		{useVitest, "vitest no longer starts"},
		{useVitest, "go back to the vitest config"},
		{retries, "undo the retry change in worker.go"},
		{noDeploy, "drop the eslint rule for unused vars in the deploy script"},
		{noDeploy + ", because nobody is there. The header needs to be blue.", "scratch that"},
	} {
		got := heuristic().Extract(t.Context(), messages(testGate(t), c...), nil)
		if len(got.Below) != 1 || got.Below[0].Why != Unsure {
			t.Errorf("%q: %v, %v", c, got.Candidates, got.Below)
		}
	}
}

// "No, scratch that" refuses what the agent asked, offered or changed before it.
func TestWhatRefusesTheAgentWithdrawsNoRule(t *testing.T) {
	done := Step{Role: Assistant, Text: privacy.Const("Done.")}
	said := func(text privacy.Clean) []Step { return []Step{{Role: Assistant, Text: text}} }
	for name, c := range map[string]struct {
		work []Step
		kept int
	}{
		"an acknowledgement": {said(privacy.Const("Noted. I'll clean the lockers on Mondays.")), 0},
		"nothing":            {nil, 0},
		"a search":           {[]Step{{Role: Tool, Tool: privacy.Const("Grep")}, done}, 0},
		"a question":         {said(privacy.Const("Noted. Shall I also add a hook which checks it?")), 1},
		"an offer":           {said(privacy.Const("Done. If you like, I can also add a reminder.")), 1},
		"a German offer":     {said(privacy.Const("Erledigt. Ich kann auch eine Erinnerung anlegen.")), 1},
		"an earlier offer":   {append(said(privacy.Const("I can add a reminder.")), done), 1},
		"a change":           {[]Step{{Role: Tool, Tool: privacy.Const("Edit"), Edit: true}, done}, 1},
		"an interruption":    {[]Step{{Role: Tool, Tool: privacy.Const("Bash")}}, 1},
	} {
		s := messages(testGate(t), lockers, "no, scratch that")
		s.Steps = slices.Concat(s.Steps[:1], c.work, s.Steps[2:])
		if got := heuristic().Extract(t.Context(), s, nil).Candidates; len(got) != c.kept {
			t.Errorf("after %s: %v", name, got)
		}
	}
}
