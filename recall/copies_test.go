package recall

import (
	"slices"
	"strings"
	"testing"
	"time"

	"keepmum/store"
)

const (
	gapRule = "From now on leave a 10 minute gap after every patient, because the room must be aired"
	gapSaid = "Good. " + gapRule + "."
	kiosk   = "The kiosk is green today and its door is painted in the colours of the harbour office"
)

func TestAMemoryIsNotToldNextToTheStatementItWasMadeOf(t *testing.T) {
	day := (24 * time.Hour).Milliseconds()
	said := statement{id: 1, at: 10 * day, session: 1, kind: store.KindPrompt, said: gapSaid, score: 3, settles: 1,
		sure: true}
	long := said
	long.said = kiosk + "." + strings.Repeat(" Under no circumstances may you ever call the office about it, because "+
		"nobody must always answer there.", 9)
	withheld := said
	withheld.said = "Hey Claude, good morning. " + gapRule
	agent := said
	agent.said, agent.asked = "", gapSaid
	for name, c := range map[string]struct {
		said   statement
		memory string
		at     int64
		told   []int64
	}{
		"of it":                 {said, gapRule + ".", 10*day + 900, []int64{1}},
		"of an older one":       {said, gapRule, 2 * day, []int64{1}},
		"newer":                 {said, gapRule, 11 * day, []int64{2, 1}},
		"another number":        {said, strings.ReplaceAll(gapRule, "10", "5"), 2 * day, []int64{2, 1}},
		"says more":             {said, gapRule + ". Not on Sundays.", 2 * day, []int64{2, 1}},
		"the part is not told":  {long, kiosk, 2 * day, []int64{2, 1}},
		"another sign":          {said, "From now on leave a 10+ minute gap", 2 * day, []int64{2, 1}},
		"what the agent said":   {agent, gapRule, 2 * day, []int64{2, 1}},
		"it is withheld":        {withheld, gapRule, 10*day + 900, []int64{2, 1}},
		"in fewer words, older": {said, "Leave a 10 minute gap after every patient", 2 * day, []int64{1}},
	} {
		m := statement{id: 2, at: c.at, kind: store.KindMemory, said: c.memory, score: 4, settles: 1, sure: true}
		var told []int64
		for _, st := range choose([]statement{m, c.said}, nil) {
			told = append(told, st.id)
		}
		if !slices.Equal(told, c.told) {
			t.Errorf("%s: told %v", name, told)
		}
	}
}

func TestWhatASessionWasToldIsNotToldAgainInAnotherForm(t *testing.T) {
	said := statement{id: 1, kind: store.KindPrompt, said: gapSaid}
	memory := statement{id: 2, kind: store.KindMemory, said: gapRule}
	told := func(kind store.Kind, role store.Role, text string) store.Line {
		return store.Line{Type: kind, Role: string(role), Title: gapRule, Text: text}
	}
	asMemory, asPrompt := told(store.KindMemory, "", gapRule+".\n"), told(store.KindPrompt, store.RoleUser, gapSaid)
	if !said.copies(asMemory) || !memory.copies(asPrompt) {
		t.Error("the same is told again")
	}
	more, later := said, said
	more.said += " Lockers are cleaned every Monday, since the gym reopens then and nobody else has time."
	later.at = time.Hour.Milliseconds()
	for name, differs := range map[string]bool{
		"says more":           more.copies(asMemory),
		"said later":          later.copies(asMemory),
		"said by the agent":   memory.copies(told(store.KindPrompt, store.RoleAssistant, gapSaid)),
		"another prompt":      said.copies(asPrompt),
		"a memory of another": memory.copies(told(store.KindPrompt, store.RoleUser, "leave a gap of 10 minutes")),
	} {
		if differs {
			t.Errorf("%s: not told", name)
		}
	}
}

func TestAMemoryIsToldIfItsStatementIsNotChosen(t *testing.T) {
	all := []statement{{id: 9, at: 2, kind: store.KindMemory, said: gapRule, score: 5, settles: 1, sure: true}}
	for id := int64(1); id <= 3; id++ {
		all = append(all, statement{id: id, session: id + 1, kind: store.KindPrompt, said: strings.Repeat("ship ", int(id)),
			score: 4.5, settles: 1, sure: true})
	}
	all = append(all, statement{id: 8, session: 1, at: 1, kind: store.KindPrompt, said: gapSaid, score: 4, settles: 1,
		sure: true})
	if told := choose(all, nil); told[0].id != 9 {
		t.Errorf("told %v", told)
	}
}
