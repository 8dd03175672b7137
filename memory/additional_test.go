package memory_test

import (
	"testing"

	"keepmum/memory"
)

// A true memory must not disappear because something arrives that is said in addition or about something else: each of
// these pairs stays two memories.
func TestAnAdditionalStatementIsAnotherMemory(t *testing.T) {
	for _, c := range [][2]string{
		// how and where
		{"From now on print all times in UTC, because the offices are far apart",
			"From now on print all times in ISO format, because the import needs it"},
		{"Always run the benchmarks in Docker", "Always run the benchmarks in random order"},
		{"We must store thumbnails in WebP", "We must store thumbnails in Switzerland"},
		{"Let's build the image in CI", "Let's build the image in two stages"},
		{"Write docs in English", "Always write docs in Markdown"},
		// a timetable
		{"On Mondays the library opens at 8", "On Saturdays the library opens at 10"},
		{"Copies on Mondays are kept for 30 days", "Copies on Sundays are kept for 365 days"},
		{"Dr. Weber works on Tuesdays from 8 to 12", "Dr. Weber works on Thursdays from 13 to 17"},
		{"Dr. Weber works on Tuesdays", "Dr. Weber works on Thursdays"},
		{"Am Montag öffnet die Werkstatt um 8 Uhr", "Am Samstag öffnet die Werkstatt um 10 Uhr"},
		{"The office is closed on Mondays", "The office is closed on Sundays"},
		{"We have a standup on Mondays", "We have a standup on Thursdays"},
		{"We meet the bank on Mondays at 9", "We meet the bank on Wednesdays at 9"},
		// not X, about something else
		{"Show dates in local time", "Store dates in UTC, not in local time"},
		{"Configure the proxy with files", "Configure with variables, not with files"},
		{"Usamos Redis para los precios", "Ya no usamos Redis para la cola"},
		{"Traces are kept for 30 days", "Debug traces are kept for 7 days instead of 30"},
		{"Traces are kept for 30 days", "Debug traces are no longer kept for 30 days but for 7"},
		{"Use 5 workers for uploads", "Use 10 workers for downloads instead of 5"},
		// how something is called
		{"The hook is called asynchronously", "The hook is called without a token"},
		{"The hook is called asynchronously", "The hook is called through the proxy"},
		{"Scripts are named 001_init.sh", "Scripts are named without spaces"},
		{"Fixtures are named foo.golden", "Fixtures are named like the code they test"},
		{"Tags are named release/NUMBER", "Tags are named hotfix/NUMBER"},
		{"The service is called payments", "The service is called billing internally"},
		// another reason
		{"Use tabs in Go files, because gofmt does", "Use spaces in YAML files, because tabs are forbidden"},
		{"Use pnpm in the frontend, because of workspaces", "Use npm in the backend, because it is simple"},
		// a number that says which one
		{"The 7 day summary is sent at 8:00", "The 30 day summary is sent at 8:00"},
		{"For uploads over 10 MB use 4 workers", "For uploads over 100 MB use 4 workers"},
		{"The 15 minute lessons cost 20 euros", "The 30 minute lessons cost 20 euros"},
		{"Pods with 2 GB run 4 workers", "Pods with 8 GB run 4 workers"},
		{"The 1 GB plan costs 5 euros per month", "The 5 GB plan costs 5 euros per month"},
		// who, and where
		{"The lead tester is Carmen", "The lead tester is in Lima"},
		{"The lead tester is Carmen", "The lead tester is responsible for releases"},
		{"The main database is Postgres", "The main database is in the cloud"},
		{"All mails go through Mailgun", "All mails go through the virus scanner"},
		{"Ask anna@acme.example about releases", "Ask bob@acme.example about releases"},
	} {
		for _, pair := range [][2]string{c, {c[1], c[0]}} {
			if got := decided(t, pair[0], pair[1]); got.Action != memory.Add {
				t.Errorf("%q / %q: %+v", pair[0], pair[1], got)
			}
		}
	}
}

// What is about a part, or may be an exception, does not archive the rule.
func TestAnExceptionArchivesNothing(t *testing.T) {
	for _, c := range [][2]string{
		{"Answer 403 for suspended customers", "Answer 404, not 403, for other customers"},
		{"Call the store from jobs", "Call the service, not the store, from handlers"},
		{"Show users sorted by name", "Sort by id, not by name"},
		{"Releases happen on Tuesdays", "Hotfix releases happen on any day, not on Tuesdays"},
		{"Traces are kept for 30 days", "Debug traces are no longer kept for 30 days"},
		{"Manual pages are in German", "Beta manual pages are no longer in German"},
		{"The build server is called odin.acme.example and has 16 GB", "The build server is called odin"},
		{"Use Redis for the cache", "The cache is called redis-main"},
	} {
		for _, pair := range [][2]string{c, {c[1], c[0]}} {
			switch got := decided(t, pair[0], pair[1]); got.Action {
			case memory.Add, memory.Update, memory.Noop:
			default:
				t.Errorf("%q / %q: %+v", pair[0], pair[1], got)
			}
		}
	}
}
