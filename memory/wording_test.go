package memory_test

import (
	"testing"

	"keepmum/memory"
)

// What says that something was changed, in the words of what it changes, replaces that.
func TestAnAmendmentReplacesWhatItAmends(t *testing.T) {
	for _, c := range [][2]string{
		// another day, other means, somebody else
		{"The digest mail goes out every Monday", "The digest mail goes out every Thursday now"},
		{"Der Lieferant Braun liefert per Spedition", "Der Lieferant Braun liefert jetzt per Kurier"},
		{"Clara approves releases of the mobile app", "Tom approves releases of the mobile app now"},
		{"Clara prüft die Übersetzungen der App", "Tom prüft jetzt die Übersetzungen der App"},
		{"Die Kursliste liegt im Intranet", "Die Kursliste liegt jetzt im Wiki"},
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
		// a rule that is taken back
		{"The exporter must start before the scheduler",
			"Forget the rule about exporter and scheduler, they start together now"},
		{"As a rule, we squash", "Forget what I said about squash, we merge with merge commits from now on"},
		{"Die Vorschau wird nachts gebaut", "Vergiss die Regel mit der Vorschau nachts, sie wird beim Merge gebaut"},
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
		{"We use Redis in production", "We now use Redis in staging"},
		{"Acme pays by invoice", "Hansen now pays by direct debit"},
		{"Acme pays by invoice", "Hansen pays by invoice now"},
		{"Braun zahlt per Rechnung", "Braun bestellt jetzt per Mail"},
		{"Dr. Weber works on Tuesdays", "Dr. Meier works on Tuesdays now"},
		{"Die Firewall ist in Wien aktiv", "Die Firewall ist jetzt in Graz aktiv"},
		{"Die Doku liegt in docs/", "Die Doku der API liegt jetzt in api/docs"},
		{"Clara approves releases of the mobile app", "Tom also approves releases of the mobile app now"},
		{"Clara approves releases of the mobile app", "Tom approves releases of the web shop now"},
		{"Clara approves releases of the mobile app, Tom writes the notes", "Eva approves releases of the mobile app now"},
		{"Design reviews need two people", "Code reviews need two people now"},
		{"The digest mail goes out every Monday", "The invoice mail goes out every Thursday now"},
		{"Prices are shown with tax in Switzerland", "Prices are shown without tax in Germany"},
		{"Customers with a contract get a discount", "Customers without a contract get a discount"},
		{"Gold customers with a contract get a discount", "Gold customers without a contract get a discount"},
		{"Orders with vouchers skip the fraud check", "Orders with invoices skip the fraud check now"},
		{"Run the linter before the build", "Run the linter after the build"},
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
	} {
		if got := decided(t, c[0], c[1]); got.Action != memory.Noop && got.Action != memory.Update {
			t.Errorf("%q / %q: %+v", c[0], c[1], got)
		}
	}
}
