package memory_test

import (
	"testing"
	"time"

	"keepmum/memory"
	"keepmum/privacy"
)

// stated is a statement without a body, as a person adds it.
func stated(t *testing.T, title string, at time.Time) memory.Candidate {
	return memory.Candidate{Primitive: memory.Learning, Kind: memory.Fact, Title: clean(t, title), Confidence: 0.9,
		Told: true, At: at}
}

// decided returns what happens to a fact that is said an hour after another one.
func decided(t *testing.T, old, now string) memory.Verdict {
	t.Helper()
	known := memory.Memory{ID: "old", Primitive: memory.Learning, Kind: memory.Fact, Title: old, Confidence: 0.9,
		Created: noon(), Updated: noon(), ValidFrom: noon()}
	return memory.NewJudge([]memory.Memory{known}, nil).Decide(stated(t, now, noon().Add(time.Hour)))
}

// What is said later on the same subject, with another value or saying that the old one no longer holds, replaces it.
func TestALaterValueReplacesTheOldOne(t *testing.T) {
	for _, c := range [][2]string{
		{"The deploy branch is called release", "The deploy branch is now called production, not release any more"},
		{"The deploy branch is called release", "The deploy branch is now called production"},
		{"Use axios for all http calls, because of the interceptors",
			"Use fetch for all http calls, because axios was compromised"},
		{"Use axios for all http calls, because of the interceptors",
			"All HTTP calls go through fetch because axios was compromised"},
		{"always leave a 5 minute gap after every patient", "leave a 10 minute gap after every patient instead of 5"},
		{"From now on bookings close 2 hours before the class, because trainers need to know",
			"From now on bookings close 4 hours before the class, because trainers complained about 2 hours"},
		{"prices are rounded to 5 cents", "no longer round to 5 cents. Round to 1 cent"},
		{"Backups are kept for 30 days", "Backups are kept for 90 days, no longer 30"},
		{"Appointments can be cancelled up to 24 hours before",
			"Appointments can be cancelled up to 48 hours before, not 24"},
		{"The staging server is called zeus", "The staging server is called hera"},
		{"We deploy on Tuesdays", "We now deploy on Thursdays"},
		{"We deploy on Tuesdays", "From now on we deploy on Thursdays"},
		{"Deploy on Tuesdays", "Deploy on Thursdays"},
		{"prices are rounded to 5 cents", "prices are no longer rounded to 5 cents but to 1 cent"},
		{"Use Jest for tests", "When you write tests use Vitest instead of Jest"},
		{"Use npm for packages", "When installing packages use pnpm rather than npm"},
		{"Round per line", "Round once per order instead of per line"},
		{"Run the tests with npm test", "If you run the tests use make test instead of npm test"},
		{"All traffic goes through nginx", "All traffic now goes through Traefik"},
		{"remember: the deploy branch is called release, because the v",
			"remember: the deploy branch is now called production, not re"},
		{"We deploy on Tuesdays", "From now on we no longer deploy on Tuesdays, because the customer is away"},
		{"We deploy with Helm", "We deploy with Argo"},
		{"Use Redis for sessions", "We don't use Redis for sessions anymore, they are in Postgres"},
		{"Emails are sent from noreply@acme.example",
			"Forget what I said about noreply, emails are sent from hello@acme.example again"},
		{"Emails are sent from noreply@acme.example", "Emails are now sent from hello@acme.example"},
		{"Rechnungen werden immer auf 5 Rappen gerundet",
			"Ab jetzt runden wir Rechnungen nicht mehr auf 5 Rappen, sondern auf 1 Rappen"},
		{"Der Staging-Server heisst zeus", "Der Staging-Server heisst hera"},
		{"Der Staging-Server heisst zeus", "Der Staging-Server heisst jetzt hera"},
		{"Wir deployen dienstags", "Wir deployen jetzt donnerstags"},
		{"The repo is on GitLab", "The repo is now on GitHub"},
		{"Commit messages are in German", "Commit messages are now in English"},
		{"Payments go through Stripe", "Payments go through Adyen"},
		{"Deploy on Heroku", "Deploy to Fly.io"},
		{"El servidor de pruebas se llama zeus", "El servidor de pruebas se llama hera"},
		{"Le serveur de test s'appelle zeus", "Le serveur de test s'appelle hera"},
	} {
		if got := decided(t, c[0], c[1]); got.Action != memory.Supersede {
			t.Errorf("%q / %q: %+v", c[0], c[1], got)
		}
		early := memory.NewJudge([]memory.Memory{{ID: "new", Primitive: memory.Learning, Kind: memory.Fact, Title: c[1],
			Created: noon(), Updated: noon(), ValidFrom: noon()}}, nil).Decide(stated(t, c[0], noon().Add(-time.Hour)))
		if early.Action != memory.History {
			t.Errorf("%q is read after %q: %+v", c[0], c[1], early)
		}
	}
}

// What is said about something else, in addition, or in other words replaces nothing.
func TestOtherStatementsReplaceNothing(t *testing.T) {
	for _, c := range [][2]string{
		{"We deploy on Tuesdays", "We test on Thursdays"},
		{"We deploy the API on Tuesdays", "We deploy the website on Thursdays"},
		{"We deploy on Tuesdays", "We also deploy on Thursdays"},
		{"We deploy on Tuesdays", "We deploy on Tuesdays after the standup"},
		{"We deploy on Thursdays", "Never deploy on Fridays"},
		{"Never deploy on Fridays", "Never deploy on Mondays"},
		{"Dr. Huber works on Tuesdays", "Dr. Meier works on Thursdays"},
		{"The staging server is called zeus", "The mail server is called hera"},
		{"The first staging server is called zeus", "The second staging server is called hera"},
		{"The staging server is called zeus", "The second staging server is called hera"},
		{"The staging server is called zeus", "The other staging server is called hera"},
		{"The staging server is called zeus", "The staging server for the shop is called hera"},
		{"A staging server is called zeus", "Another staging server is called hera"},
		{"One of the staging servers is called zeus", "One of the staging servers is called hera"},
		{"The staging server is called zeus", "The staging server is called zeus and runs Debian 12"},
		{"The deploy branch is called release", "The deploy branch is protected"},
		{"The deploy branch is called release", "The deploy branch is called release, not production"},
		{"Use pnpm instead of npm", "From now on use pnpm instead of npm in this repo"},
		{"Use pnpm instead of npm", "Never use npm, use pnpm instead"},
		{"Reminders are sent by mail", "Invoices are no longer sent by mail but through the portal"},
		{"The API uses Redis for sessions", "The worker no longer uses Redis"},
		{"Use Redis for the sessions", "No longer use Redis for the queue"},
		{"Push to main only after the review", "Push to feature branches, never to main"},
		{"Never push to main without a review", "Never push to main on Fridays"},
		{"We deploy to AWS", "We deploy with GitHub Actions"},
		{"The env variable is called DATABASE_URL", "The env variable is called REDIS_URL"},
		{"The table is called customers", "The table is called invoices"},
		{"We do code reviews on Mondays", "We do code reviews on Wednesdays"},
		{"Mails are sent from billing@acme.example", "Mails are sent from news@acme.example"},
		{"Logs go to stdout, as well as to Loki", "Logs go to Loki"},
		{"Use Postgres for all jobs", "All jobs go through the queue"},
		{"All requests go through nginx", "All requests go through the auth middleware"},
		{"Room 3 has 20 seats", "Room 4 has 20 seats"},
		{"Prices are rounded to 5 cents in Switzerland", "Prices are rounded to 1 cent in Germany"},
		{"Backups are kept for 30 days", "Backups are kept for 30 days, not 90"},
		{"The staging server is called zeus", "Tell Anna when the staging server is no longer called zeus"},
		{"Invoices are rounded to 5 cents", "Invoices are rounded to 5 cents, not only in Bern but everywhere"},
		{"The price API is called once per order", "The price API is called from the worker"},
		{"We store images in S3", "We store images in WebP"},
		{"Make a new cache for each tenant", "The price list is no longer cached"},
		{"Tests need Docker", "Stop the import here because Docker is slow in it"},
	} {
		switch got := decided(t, c[0], c[1]); got.Action {
		case memory.Add, memory.Update, memory.Noop:
		default:
			t.Errorf("%q / %q: %+v", c[0], c[1], got)
		}
	}
}

// Two names are not merged into one memory: the second one would be hidden behind the first.
func TestNamesOfTwoThingsAreTwoMemories(t *testing.T) {
	for _, c := range [][2]string{
		{"The first staging server is called zeus", "The second staging server is called hera"},
		{"A staging server is called zeus", "Another staging server is called hera"},
		{"The staging server is called zeus", "The staging server for the shop is called hera"},
		{"Room 3 has 20 seats", "Room 4 has 20 seats"},
		{"Retry failed uploads 3 times within 60 seconds", "Retry failed uploads 5 times within 60 seconds"},
		{"The lead developer is Carmen", "The lead developer is Ruben"},
		{"From now on write commit messages in German, because the customer reads them",
			"From now on write commit messages in English, because the new colleague reads no German"},
	} {
		if got := decided(t, c[0], c[1]); got.Action != memory.Add {
			t.Errorf("%q / %q: %+v", c[0], c[1], got)
		}
	}
}

// An archived memory does not answer for what is said now and is not in it.
func TestAnArchivedMemoryAnswersOnlyForWhatItSays(t *testing.T) {
	old := memory.Memory{ID: "old", Primitive: memory.Learning, Kind: memory.Fact, Archived: true, Created: noon(),
		Title: "Use axios for all http calls, because of the interceptors", Updated: noon(), ValidFrom: noon(),
		Sources: []memory.Origin{{Session: "codex/one"}}}
	for title, want := range map[string]memory.Action{
		"For all http calls we go with fetch since axios was compromised and has no interceptors": memory.Add,
		"Use axios for all http calls": memory.Noop,
	} {
		for _, session := range []privacy.Clean{privacy.Const("codex/one"), privacy.Const("codex/two")} {
			c := stated(t, title, time.Time{})
			c.Told, c.Sources = false, []memory.Source{{Session: session}}
			if got := memory.NewJudge([]memory.Memory{old}, nil).Decide(c); got.Action != want {
				t.Errorf("%s, %s: %+v", title, session, got)
			}
		}
	}
}
