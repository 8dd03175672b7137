package memory_test

import (
	"strings"
	"testing"
	"time"

	"keepmum/memory"
)

// What says that something was changed, in the words of what it changes, replaces that.
func TestAnAmendmentReplacesWhatItAmends(t *testing.T) {
	for _, c := range [][2]string{
		// another day, somebody else
		{"The digest mail goes out every Monday", "The digest mail goes out every Thursday now"},
		{"Clara approves releases of the mobile app", "Tom approves releases of the mobile app now"},
		{"Clara prüft die Übersetzungen der App", "Tom prüft jetzt die Übersetzungen der App"},
		{"Backups are encrypted with age", "Backups are encrypted with gpg now"},
		// what is rejected by its name
		{"Migrations are named V12__title.sql", "Migrations are named 12-title.sql, no more V12__"},
		{"Die Vorlagen liegen in vorlagen/alt", "Ab sofort liegen die Vorlagen in templates/neu statt in vorlagen/alt"},
		{"Les logs sont en anglais sur le serveur", "Les logs sont en français sur le serveur, plus en anglais"},
		{"Los informes se envían por correo", "Los informes se envían por el portal en lugar de por correo"},
		// with and without
		{"Exports are written with headers", "Exports are written without headers"},
		{"Die Rechnungen werden mit Logo gedruckt", "Die Rechnungen werden ohne Logo gedruckt"},
		{"Les factures sont imprimées avec le logo", "Les factures sont imprimées sans le logo"},
		{"All prices are shown with tax", "All prices are shown without tax"},
		{"Write tests without mocks", "Tests use mocks"},
		{"Write the importer without an ORM", "The importer uses an ORM"},
		{"Merge without squashing", "Squash when merging"},
		{"Commit without signing", "Sign commits"},
		// one in the place of another
		{"Use npm for the scripts", "Use pnpm instead of npm for the scripts"},
		{"Use pnpm instead of npm", "Use bun instead of pnpm"},
		{"We use pnpm", "We use bun instead of pnpm"},
		{"npm für die Skripte nutzen", "pnpm statt npm für die Skripte nutzen"},
	} {
		if got := decided(t, c[0], c[1]); got.Action != memory.Supersede {
			t.Errorf("%q / %q: %+v", c[0], c[1], got)
		}
		if got := decided(t, c[0], c[0]); got.Action != memory.Noop {
			t.Errorf("%q twice: %+v", c[0], got)
		}
	}
}

// What may be true in addition, or about something else, is another memory and is not lost in the one it resembles.
func TestWhatIsSaidOtherwiseIsAnotherMemory(t *testing.T) {
	for _, c := range [][2]string{
		{"We use Redis for the cache", "We now use Redis for the queue"},
		{"Use spaces in YAML", "Use tabs instead of spaces"},
		{"Use Postgres for orders", "Use SQLite instead of Postgres in tests"},
		{"We use Redis in production", "We now use Redis in staging"},
		{"Acme pays by invoice", "Hansen now pays by direct debit"},
		{"Acme pays by invoice", "Hansen pays by invoice now"},
		{"Braun zahlt per Rechnung", "Braun bestellt jetzt per Mail"},
		{"Dr. Weber works on Tuesdays", "Dr. Meier works on Tuesdays now"},
		{"Die Firewall ist in Wien aktiv", "Die Firewall ist jetzt in Graz aktiv"},
		{"Die Kursliste liegt im Intranet", "Die Kursliste liegt jetzt im Wiki"},
		{"The product is sold in Germany", "The product is now sold in Austria"},
		{"The app is available in French", "The app is available in German now"},
		{"Prices are shown in EUR", "Prices are shown in bold now"},
		{"Tests are run in parallel", "Tests are run in Docker now"},
		{"Les clients peuvent payer par carte", "Les clients peuvent maintenant payer par virement"},
		{"Der Lieferant Braun liefert per Spedition", "Der Lieferant Braun liefert jetzt per Kurier"},
		{"Clara approves releases of the mobile app", "Tom also approves releases of the mobile app now"},
		{"Clara approves releases of the mobile app", "Tom approves releases of the web shop now"},
		{"Clara approves releases of the mobile app, Tom writes the notes", "Eva approves releases of the mobile app now"},
		{"Design reviews need two people", "Code reviews need two people now"},
		{"The digest mail goes out every Monday", "The invoice mail goes out every Thursday now"},
		{"Prices are shown with tax in Switzerland", "Prices are shown without tax in Germany"},
		{"Prices are shown with tax in the US", "Prices are shown without tax in the EU"},
		{"Orders with vouchers skip the fraud check", "Orders with invoices skip the fraud check now"},
		{"Run the linter before the build", "Run the linter after the build"},
		{"Secrets dürfen nicht ins Repo", "Secrets dürfen ins Repo"},
		{"Use Postgres for orders", "Ignore the rule about Postgres for now"},
		{"The deploy script is slow", "Forget the rule about the deploy script, run it whenever you like"},
		{"Tests need a database", "Forget the rule about tests"},
		{"Squash merges need the ticket in the title",
			"Forget what I said about squash, we merge with merge commits from now on"},
	} {
		if got := decided(t, c[0], c[1]); got.Action != memory.Add {
			t.Errorf("%q / %q: %+v", c[0], c[1], got)
		}
	}
}

// The same said again, with more, since when it holds, or what does not, is no other memory.
func TestTheSameSaidAgainIsNoOtherMemory(t *testing.T) {
	for _, c := range [][2]string{
		{"The staging server is called hera", "The staging server is now called hera"},
		{"Use bun instead of npm", "From now on we use bun instead of npm"},
		{"Run the unit tests in CI", "Run the integration checks in CI, plus the unit tests"},
		{"Never log request bodies", "Request bodies must not be logged"},
		{"Les dates sont en UTC", "À partir de maintenant les dates sont en UTC"},
		{"Use bun instead of npm", "Please use bun instead of npm in all scripts"},
		{"Use pnpm instead of npm", "Always use pnpm instead of npm for installs"},
		{"Never push to main", "From now on never push directly to main"},
		{"Commits must be signed", "From now on all commits must be signed with GPG"},
		{"Ab jetzt pnpm statt npm nutzen", "Ab jetzt überall pnpm statt npm nutzen"},
		{"Staging is now called hera", "The staging server is now called hera"},
		{"We no longer use Redux", "We don't use Redux any more, use Zustand"},
		{"Deploys go through Argo now", "Every deploy goes through Argo now"},
		{"Meetings are on Tuesday", "Meetings are on Tuesday and Thursday now"},
		{"Users log in with a password", "Users log in with a password or a passkey now"},
		{"Write tests without mocks", "Write tests, no mocks"},
		{"Request bodies aren't logged", "Request bodies are not logged"},
		// nor is another one archived for what applies only to a part
		{"Never deploy without approval", "Deploy without approval on staging"},
		{"Deploy the DE shop with Ansible", "Deploy the IT shop without Ansible"},
	} {
		if got := decided(t, c[0], c[1]); got.Action != memory.Noop && got.Action != memory.Update {
			t.Errorf("%q / %q: %+v", c[0], c[1], got)
		}
	}
}

// A technical word is not a small word of another language.
func TestTechnicalWordsCount(t *testing.T) {
	const old, now = "Restart the worker after a deploy", "Restart the worker pod after a deploy"
	if got := decided(t, old, now); got.Action != memory.Update {
		t.Errorf("%q / %q: %+v", old, now, got)
	}
	archived := memory.Memory{ID: "old", Primitive: memory.Learning, Kind: memory.Fact, Title: old, Confidence: 0.9,
		Created: noon(), Updated: noon(), ValidFrom: noon(), Archived: true}
	got := memory.NewJudge([]memory.Memory{archived}, nil).Decide(stated(t, now, time.Time{}))
	if got.Action != memory.Add {
		t.Errorf("archived %q / %q: %+v", old, now, got)
	}
}

// A title in a file may be as long as the file.
func TestALongTitleIsReadInTime(t *testing.T) {
	began := time.Now()
	decided(t, "Use bun "+strings.Repeat("statt npm ", 4500), "Use bun instead of npm for the scripts")
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("it took %v", took)
	}
}
