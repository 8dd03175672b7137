package extract

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"keepmum/privacy"
)

// messages returns a session in which the user says these messages, a minute apart.
func messages(g *privacy.Gate, texts ...string) Session {
	s := Session{Agent: privacy.Const("claude"), ID: privacy.Const("one"),
		Start: time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)}
	for i, text := range texts {
		s.Steps = append(s.Steps, Step{Role: User, Text: cleaned(g, text), Ref: cleaned(g, fmt.Sprint("line ", i)),
			At: s.Start.Add(time.Duration(i) * time.Minute)}, Step{Role: Assistant, Text: privacy.Const("Done.")})
	}
	return s
}

func ruleTexts(g *privacy.Gate, h *Heuristic, texts ...string) (out []string) {
	for _, r := range h.Rules(messages(g, texts...)) {
		out = append(out, r.Text.String())
	}
	return out
}

func TestSentencesWithTheFormOfARule(t *testing.T) {
	g, h := testGate(t), heuristic()
	for _, text := range []string{
		"Never reset the seeds of the shop.",
		"add the column, and please don't touch the migrations",
		"The folder upstream must stay read-only.",
		"Run the linter after every edit of a schema.",
		"Don't write any migrations by hand.",
		"Don't run commands with sudo on the staging server.",
		"Ändere nie die Tabelle der Buchungen.",
		"No cambies las migraciones de la tienda.",
		"Il ne faut jamais modifier les migrations à la main.",
		"никогда не меняй файлы миграций магазина",
		"永远 不要 修改 vue 组件 的 代码",
	} {
		if got := ruleTexts(g, h, text); len(got) != 1 {
			t.Errorf("%q: rules %q", text, got)
		}
	}
	for _, text := range []string{
		"Should we never reset the seeds of the shop?", // a question
		"Never do that!",                                                               // too short
		"Don't touch it again, it was fine.",                                           // it?
		"Always keep the following in the header of each file:",                        // what follows is missing
		"The seeds of the shop were reset by the migration.",                           // no rule
		"don't write any code, let us discuss the options first",                       // for this turn
		"Do not touch anything else.",                                                  //
		"DO NOT WRITE ANY CODE OR RUN ANY COMMANDS.",                                   //
		"不要改任何代码。",                                                                     //
		"Never change the files of {{module}} by hand.",                                // a template
		"Never change the files of <module name> by hand.",                             //
		"Always answer in the language of $ARGUMENTS please.",                          //
		"Always log in with the password hunter2Xq9! to the staging server.",           // a secret
		"```\nNever reset the seeds of the shop.\n```",                                 // pasted
		"> Never reset the seeds of the shop.",                                         //
		"The review says:\nNever reset the seeds of the shop.\nAlso fix it.",           //
		"<command-message>Never reset the seeds of the shop.</command-message>",        // a program's
		"Never " + strings.Repeat("reset the seeds of the shop and ", 8) + "the till.", // too long
	} {
		if got := ruleTexts(g, h, text); len(got) != 0 {
			t.Errorf("%q: rules %q", text, got)
		}
	}
}

func TestADocumentStatesNoRules(t *testing.T) {
	g, h := testGate(t), heuristic()
	few, many := "", ""
	for i := range maxRules + 1 {
		many += fmt.Sprintf("Never reset the seeds of table number%d by hand. ", i)
		if i < maxRules {
			few = many
		}
	}
	if got := ruleTexts(g, h, few); len(got) != maxRules {
		t.Errorf("%d rules: %q", maxRules, got)
	}
	if got := ruleTexts(g, h, many, "Never reset the clock of the till."); len(got) != 1 {
		t.Errorf("%d rules and one later: %q", maxRules+1, got)
	}
}

func TestARuleKnowsWhereItWasStated(t *testing.T) {
	g, h := testGate(t), heuristic()
	s := messages(g, "have a look at the shop", "Fix the till. Never reset the seeds of the shop.",
		"As I said: never reset the clock of the till. Never reset the seeds of the shop.")
	got := h.Rules(s)
	if len(got) != 2 {
		t.Fatalf("%+v", got)
	}
	for i, r := range got {
		said, before := s.Steps[2*i+2], s.Steps[2*i]
		if r.Message != said.Text || r.Before != before.Text || r.At != said.At || r.ref != said.Ref {
			t.Errorf("rule %d: %+v", i, r)
		}
	}
	s.Steps[2].At = time.Time{}
	if got := h.Rules(s); !got[0].At.Equal(s.Start) {
		t.Errorf("without a time: %s", got[0].At)
	}
	s.Steps[2].Sidechain = true
	if got := h.Rules(s); len(got) != 2 || got[0].Message != s.Steps[4].Text {
		t.Errorf("of a subagent: %+v", got)
	}
}

func TestTheRepeatedRulesOfAMessageAreOneMemory(t *testing.T) {
	g, h := testGate(t), heuristic()
	s := messages(g, "Never reset the seeds of the shop. Fix the till. The folder upstream must stay read-only.",
		"Run the linter after every edit of a schema.")
	got := s.Repeated(t.Context(), h.Rules(s))
	if len(got) != 2 {
		t.Fatalf("%+v", got)
	}
	c := got[0]
	want := "Never reset the seeds of the shop. The folder upstream must stay read-only.\n\n" +
		"Said by the user in several sessions."
	if c.Body.String() != want || c.Title.String() != "Never reset the seeds of the shop" &&
		c.Title.String() != "The folder upstream must stay read-only" {
		t.Errorf("%q: %q", c.Title, c.Body)
	}
	if c.Confidence != repeatedly || !c.Told || !c.Standing || !c.At.Equal(s.Start) || len(c.Sources) != 1 ||
		c.Sources[0].Session.String() != "claude/one" || c.Sources[0].Ref.String() != "line 0" {
		t.Errorf("%+v", c)
	}
	if none := s.Repeated(t.Context(), nil); none != nil {
		t.Errorf("%+v", none)
	}
}

func TestMessagesThatWereReadAreThoseOfTheSession(t *testing.T) {
	h := New()
	s := messages(testGate(t), "Never reset the seeds of the shop.", "Never reset the clock of the till.").Heard()
	if got := h.Rules(s); len(got) != 2 {
		t.Errorf("%+v", got)
	}
	s.Steps = s.Steps[2:]
	if got := h.Rules(s); len(got) != 1 || got[0].Message != s.Steps[0].Text {
		t.Errorf("of the end: %+v", got)
	}
}

// A rule for all times does not mention what the session was about; a decision, which may depend on it, does.
func TestARuleHasNothingToDoWithWhatItCameUpWith(t *testing.T) {
	g, h := testGate(t), New()
	for said, want := range map[string]bool{
		"From now on all amounts in the ledger are rounded half to even.":                            false,
		"Remember that the printer in Graz prints labels with 203 dpi only.":                         false,
		"We decided to use Postgres instead of Redis, because nobody wants to run one more service.": true,
	} {
		out := h.Extract(t.Context(), messages(g, "The importer skips rows with umlauts, look at its reader.", said), nil)
		if len(out.Candidates) != 1 {
			t.Errorf("%q: %d candidates, %v", said, len(out.Candidates), out.Below)
			continue
		}
		body := out.Candidates[0].Body.String()
		if got := strings.Contains(body, "The importer skips rows"); got != want {
			t.Errorf("%q: %q", said, body)
		}
	}
}

// A candidate has the time of its message, not that of the session.
func TestACandidateIsAsOldAsItsMessage(t *testing.T) {
	s := messages(testGate(t), "The importer skips rows with umlauts, look at its reader.",
		"From now on all amounts in the ledger are rounded half to even.", "Now add a test for the reader.")
	s.End = s.Start.Add(time.Hour)
	out := New().Extract(t.Context(), s, nil)
	if len(out.Candidates) != 1 || !out.Candidates[0].At.Equal(s.Start.Add(time.Minute)) {
		t.Errorf("got %+v", out.Candidates)
	}
}
