package memory_test

import (
	"testing"

	"keepmum/memory"
)

// Whoever says the same about something else says something new.
func TestAnotherSubjectIsNeitherKnownNorReplaced(t *testing.T) {
	const body = "They said so in the contract that was signed in March, and nobody may change it alone."
	for _, c := range []struct{ old, new, oldBody, newBody string }{
		{"Acme pays by invoice within 30 days", "Zenit pays by invoice within 30 days", "", ""},
		{"Acme pays by invoice within 30 days", "Zenit pays by invoice in 30 days", "", ""},
		{"Acme pays by invoice within 30 days", "Zenit pays by invoice within 30 days", body, body},
		{"Acme pays by invoice within 30 days", "Zenit pays by invoice within 60 days", "", ""},
		{"Acme pays by invoice", "Zenit pays by card instead of invoice", "", ""},
		{"Acme pays by invoice within 30 days", "Zenit pays by invoice within 60 days", "", "Zenit, unlike Acme, pays late " +
			"because its banks need more time than others for each transfer."},
		{"Invoices of Acme are paid within 30 days", "Invoices of Zenit are paid within 30 days", "", ""},
		{"invoices of acme are paid within 30 days", "invoices of zenit are paid within 30 days", "", ""},
		{"Acme zahlt auf Rechnung innerhalb von 30 Tagen", "Zenit zahlt auf Rechnung innerhalb von 30 Tagen", "", ""},
		{"Run the script seed.sh before the tests", "Run the script reset.sh before the tests", "", ""},
	} {
		make := func(title, body string) memory.Memory {
			m := memory.Memory{ID: "a", Primitive: memory.Learning, Kind: memory.Fact, Title: title, Body: body, Confidence: 0.9}
			if body != "" {
				m.Kind = memory.Insight
			}
			return m
		}
		old, now := make(c.old, c.oldBody), make(c.new, c.newBody)
		got := memory.NewJudge([]memory.Memory{old}, nil).Decide(memory.Candidate{Primitive: now.Primitive, Kind: now.Kind,
			Title: clean(t, now.Title), Body: clean(t, now.Body), Confidence: 0.9, Told: true})
		if got.Action != memory.Add {
			t.Errorf("%s / %s: %+v", c.old, c.new, got)
		}
		now.ID = "b"
		if p := memory.PlanMaintenance(memory.Listing{Active: []memory.Memory{old, now}}, nil, old.Created,
			memory.DefaultDecay()); len(p.Steps)+len(p.Contradictions) > 0 {
			t.Errorf("%s / %s: %+v", c.old, c.new, p)
		}
	}
}
