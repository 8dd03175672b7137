package extract

import (
	"strings"
	"testing"

	"keepmum/privacy"
)

// What is said on purpose is kept, under a title without the words that ask for it.
func TestWhatIsSaidOnPurposeIsKept(t *testing.T) {
	g := testGate(t)
	for _, c := range [][2]string{
		{"Remember: the test database is reset every night at two.", "The test database is reset every night at two"},
		{"Remember: the test suite needs Docker running.", "The test suite needs Docker running"},
		{"Please remember for next time: API errors are returned as problem+json.",
			"API errors are returned as problem+json"},
		{"Remember that we deploy with Helm, never with kubectl apply.", "We deploy with Helm, never with kubectl apply"},
		{"Merk dir: Beträge werden immer in Cent gespeichert.", "Beträge werden immer in Cent gespeichert"},
		{"From now on, use pnpm instead of npm.", "From now on, use pnpm instead of npm"},
		{"Remember that the test should pass again.", ""}, // one test, of this task
		{"Remember: this branch is merged tomorrow.", ""},
		{"Don't forget that Dr. Huber only works on Tuesdays and Thursdays",
			"Dr. Huber only works on Tuesdays and Thursdays"},
		{"ok, don't forget: the shop closes at noon on Fridays", "The shop closes at noon on Fridays"},
		{"note to self: the printer on floor two needs driver 5", "The printer on floor two needs driver 5"},
		{"Please add to memory: invoices are sent at the end of the month",
			"Invoices are sent at the end of the month"},
		{"save this to memory: invoices are sent at the end of the month",
			"Invoices are sent at the end of the month"},
		{"Vergiss nicht: die Rechnungen werden immer am Monatsende verschickt",
			"Die Rechnungen werden immer am Monatsende verschickt"},
		{"Remember this: we deploy with Helm, never with kubectl apply", "We deploy with Helm, never with kubectl apply"},
		{"Merk dir, dass Beträge immer in Cent gespeichert werden",
			"Merk dir, dass Beträge immer in Cent gespeichert werden"},
		{"Denk daran, dass Beträge immer in Cent gespeichert werden",
			"Denk daran, dass Beträge immer in Cent gespeichert werden"},
		{"Denk daran: Beträge werden immer in Cent gespeichert", "Beträge werden immer in Cent gespeichert"},
		{"Vergiss nicht, dass Beträge immer in Cent gespeichert werden",
			"Vergiss nicht, dass Beträge immer in Cent gespeichert werden"},
		{"No olvides: las facturas se envían a fin de mes", "Las facturas se envían a fin de mes"},
		{"No olvides que las facturas se envían a fin de mes", "Las facturas se envían a fin de mes"},
		{"N’oublie pas que les factures partent toujours en fin de mois",
			"Les factures partent toujours en fin de mois"},
		{"Não esqueça que as faturas são enviadas no fim do mês", "As faturas são enviadas no fim do mês"},
		{"don't forget to update the changelog", ""},
		{"don't forget that you have to update the changelog", ""},
		{"ok thanks, and don't forget the tests of the shop", ""},
		{"note to self: check why the build is slow", ""},
		{"Vergiss nicht, die Tests der Rechnungen laufen zu lassen", ""},
		{"No olvides actualizar la documentación de las facturas", ""},
		{"save it to memory instead of the disk", ""},
		{"Don't forget to remember: update the changelog and push when you are done ok", ""},
	} {
		said, want := c[0], c[1]
		text, _ := g.Text(said)
		var got []string
		for _, c := range heuristic().Extract(t.Context(), Session{Steps: []Step{{Role: User, Text: text},
			{Role: Assistant, Text: privacy.Const("Noted.")}}}, nil).Candidates {
			got = append(got, c.Title.String())
		}
		if strings.Join(got, "|") != want {
			t.Errorf("%q: %q, want %q", said, got, want)
		}
	}
}

// A correction replaces what was said before even if its words are a little less sure, and does not mention it.
func TestACorrectionIsTheLastWord(t *testing.T) {
	g := testGate(t)
	for _, c := range [][2]string{
		{"Remember that the export job runs at 3 am UTC.", "Actually no, remember that the export job runs at 5 am UTC."},
		{"Remember that we deploy with Helm, never with kubectl apply.",
			"No wait, that's wrong. Remember: we deploy with Argo, never with Helm by hand."},
	} {
		var steps []Step
		for _, said := range c {
			text, _ := g.Text(said)
			steps = append(steps, Step{Role: User, Text: text}, Step{Role: Assistant, Text: privacy.Const("Noted.")})
		}
		got := heuristic().Extract(t.Context(), Session{Steps: steps}, nil).Candidates
		if len(got) != 1 || !strings.Contains(c[1], got[0].Title.String()[2:]) ||
			strings.Contains(got[0].Body.String(), c[0]) {
			t.Errorf("%q: %+v", c[1], got)
		}
	}
}

// Symbols at the end of a title are part of what it says.
func TestATitleKeepsItsSymbols(t *testing.T) {
	for _, c := range [][2]string{
		{"remember that the backend is written in C#", "The backend is written in C#"},
		{"remember that the backend is compiled as C++.", "The backend is compiled as C++"},
		{"remember that the backend is compiled as C++, then fix the build", "The backend is compiled as C++"},
		{"From now on coverage must be at least 20%.", "From now on coverage must be at least 20%"},
		{"From now on a lunch for the team must cost < 5 €!", "From now on a lunch for the team must cost < 5 €"},
		{"Remember that the wildcard is *", "The wildcard is *"},
		{"Remember that the separator of our exports is '|'.", "The separator of our exports is '|'"},
		{"From now on never touch the folder gen/", "From now on never touch the folder gen/"},
		{"Remember that parsers return Vec<Token>.", "Parsers return Vec<Token>"},
		{"**From now on never commit the lockfile**", "From now on never commit the lockfile"},
		{"From now on never commit the **lockfile**", "From now on never commit the **lockfile**"},
		{"Remember that *all* dates are **UTC**", "*All* dates are **UTC**"},
		{"Remember that *all* dates of the shop are *UTC*", "*All* dates of the shop are *UTC*"},
		{"Remember that **all dates of the shop are UTC**", "All dates of the shop are UTC"},
		{"Remember that (in the shop) dates are always in UTC", "(in the shop) dates are always in UTC"},
		{"Remember that \"foo\" means the old server of the shop", "\"foo\" means the old server of the shop"},
		{"From now on never commit the lockfile :)", "From now on never commit the lockfile"},
		{"From now on never commit the lockfile =)", "From now on never commit the lockfile"},
		{"From now on never commit the lockfile 🙂", "From now on never commit the lockfile"},
		{"From now on never commit the lockfile -- ", "From now on never commit the lockfile"},
		{"From now on never commit the lockfile!!!", "From now on never commit the lockfile"},
		{"From now on never commit the lockfile (of the shop).", "From now on never commit the lockfile (of the shop)"},
		{"From now on never write a + b in the templates of the shop, write sum(a, b)",
			"From now on never write a + b in the templates of the shop"},
	} {
		said, want := c[0], c[1]
		if got := keptTitles(t, said); len(got) != 1 || got[0] != want {
			t.Errorf("%q: %q, want %q", said, got, want)
		}
	}
}

func TestABodyKeepsItsSymbols(t *testing.T) {
	s := messages(testGate(t), "remember that the backend is compiled as C++, then fix the build")
	got := heuristic().Extract(t.Context(), s, nil).Candidates
	if len(got) != 1 || !strings.Contains(got[0].Body.String(), "compiled as C++.") {
		t.Errorf("%+v", got)
	}
}

func TestWhatOnlySoundsLikeARuleIsNotKept(t *testing.T) {
	for _, said := range []string{
		"I can't remember whether we always use tabs",
		"I don't know if we always use tabs here, because I am new",
		"no recuerdo si siempre usamos tabs",
		"je ne sais plus si on utilise toujours des tabs",
		"ich weiß nicht mehr, ob wir immer Tabs nutzen",
		"from now on it crashes at start",
		"from now on the app crashes at start",
		"from now on nothing works any more because you deleted the config",
		"Going forward I will be on vacation",
		"for future reference: lol",
		"I decided to take a break because my head hurts",
		"we decided nothing yet, because Anna is sick",
		"let's use the old branch for a moment because CI is red",
		"Remember to fix the typo in line 3",
		"Remember to buy milk",
		"Remember to call Anna tomorrow",
		"Remember: buy milk today",
		"note to self: check why the build is slow",
	} {
		if got := keptTitles(t, said); len(got) != 0 {
			t.Errorf("%q: kept %q", said, got)
		}
	}
	for _, said := range []string{
		"remember to always run the linter",
		"Remember to run the tests before each commit",
		"Remember to run make gen after changing the schema",
		"Remember to use the staging database for manual tests",
		"Remember to update the changelog when you change the API",
		"Remember that people forget to run the linter, so CI runs it",
		"Remember that the API answers 503 for a while after a deployment",
		"From now on the build must fail on warnings",
		"From now on the build fails if coverage drops under 80%",
		"From now on the server doesn't start without a licence key",
		"Going forward I will run the integration tests myself",
		"From now on we are offline first, because the van has no network",
		"I decided to take a REST approach because the clients know it",
		"we decided not to use Kafka because it needs Zookeeper",
		"let's go with sqlite for now, because it is simpler",
		"for future reference: the staging box is named heron",
		"we decided nothing goes to main without a review, because of the audit",
		"We decided nothing is deployed on Fridays because nobody is there on weekends",
		"Ab jetzt geht nichts direkt auf main",
		"Ab sofort geht nichts mehr ohne Review auf main, weil der Audit das verlangt",
		"Ab sofort funktioniert nichts mehr ohne VPN, also immer vorher verbinden",
		"A partir de ahora no funciona nada sin VPN, así que conéctate siempre antes",
		"Don't guess, and from now on ask me if you are not sure whether to commit",
		"I'm not sure whether that is clear: never push to main",
		"From now on it fails the build if coverage drops below 80%, because we agreed on that",
		"From now on it throws an error if the config is missing, never return nil",
		"From now on the app crashes early instead of logging, because silent failures cost us a day",
		"From now on nothing works without a token, so always send one in the tests",
		"let's keep the session open for a minute after logout because the mobile app needs it",
		"from now on I'm travelling on Mondays, so never schedule deploys on Mondays",
		"going forward: rebase",
		"remember: pnpm",
		"Remember: commits are signed",
		"Remember: commit messages are in English",
		"Remember: tests run with -race",
		"Remember: deploys go through Argo",
		"Remember: check constraints live in the schema, not in Go",
		"Remember: start the database with make db",
		"Remember: write docs in American English",
		"Remember: add new env vars to .env.example",
		"Remember: check errors from Close",
		"Remember: order imports alphabetically",
		"Remember: book ids are UUIDs",
		"Remember to test with Node 20",
		"Remember to sign commits",
		"Remember to stop the containers when you are finished",
		"Remember: call back handlers run on the main thread",
		"Remember: this afternoon job runs at 3 pm",
		"Remember that we still need to support IE11 because of the bank",
	} {
		if got := keptTitles(t, said); len(got) != 1 {
			t.Errorf("%q: kept %q", said, got)
		}
	}
}

// What is no memory may still be proposed: only the user knows whether it is meant as a rule.
func TestRulesWithWordsOfDoubtAreProposed(t *testing.T) {
	for _, said := range []string{
		"never merge when you can't recall whether the tests passed",
		"Let's keep the retries at three and wait for a second between them because the provider blocks more",
		"let's use the old branch for a moment because CI is red",
	} {
		got := heuristic().Extract(t.Context(), messages(testGate(t), said), nil)
		if len(got.Candidates) != 0 || len(got.Below) != 1 || got.Below[0].Why != Unsure {
			t.Errorf("%q: %v, %v", said, got.Candidates, got.Below)
		}
	}
}

// What is done instead of what was just forbidden is proposed, if the user says why.
func TestACorrectionWithItsReasonIsProposed(t *testing.T) {
	for said, want := range map[string]int{
		"No, don't use npm. This repo uses pnpm because of the workspace protocol.": 1,
		"This repo uses pnpm because of the workspace protocol.":                    0,
		"Don't use npm. This repo uses pnpm.":                                       0,
	} {
		got := heuristic().Extract(t.Context(), messages(testGate(t), said), nil)
		if len(got.Candidates) != 0 || len(got.Below) != want {
			t.Errorf("%q: %v, %v", said, got.Candidates, got.Below)
		}
	}
}

// A rule behind a private block is kept if it is whole without the block.
func TestARuleBehindAPrivateBlock(t *testing.T) {
	for _, c := range [][2]string{
		{"<private>My pin is 4711.</private> and from now on close tickets after 30 days, because the board is full",
			"From now on close tickets after 30 days, because the board is full"},
		{"<private>The old key</private> and from now on must be rotated every month, because the board is full",
			""},
		{"<private>The old key</private> is from now on used for all tickets, because the board is full",
			""},
		{"<private>The old key</private> and never push it to the repo of the shop, because it is public",
			""},
		{"Use <private>the old key</private> and from now on close tickets, because the board is full",
			""},
	} {
		said, want := c[0], c[1]
		e := testGate(t).Event(privacy.Raw{Speaker: privacy.User, Fields: map[string]string{"text": said}})
		got := heuristic().Extract(t.Context(), Session{Steps: []Step{{Role: User, Text: e.Fields["text"]}}}, nil).Candidates
		if want == "" && len(got) > 0 || want != "" && (len(got) != 1 || got[0].Title.String() != want) {
			t.Errorf("%q: %v", said, got)
		}
	}
}
