package extract

import (
	"slices"
	"strings"
	"testing"
)

// There are many ways to ask that something is remembered. None of them is part of the title.
func TestWaysToAsk(t *testing.T) {
	for _, c := range [][2]string{
		{"For future reference: the ferry terminal blocks port 25", "The ferry terminal blocks port 25"},
		{"For next time: the archive server sleeps after midnight", "The archive server sleeps after midnight"},
		{"OK, new rule: the tariff service counts weeks from Sunday", "The tariff service counts weeks from Sunday"},
		{"New rule: every query of the archive has a timeout", "Every query of the archive has a timeout"},
		{"Note for the future: the ferry terminal blocks port 25", "The ferry terminal blocks port 25"},
		{"Remember the following: the archive server sleeps after midnight",
			"The archive server sleeps after midnight"},
		{"Notiere dir: der Zoll nimmt nur XML", "Der Zoll nimmt nur XML"},
		{"Notier dir, dass der Zoll nur XML nimmt", "Notier dir, dass der Zoll nur XML nimmt"},
		{"Merk dir für später: der Zoll nimmt nur XML", "Der Zoll nimmt nur XML"},
		{"Fürs nächste Mal: der Zoll nimmt nur XML", "Der Zoll nimmt nur XML"},
		{"Neue Regel: jede Abfrage des Archivs hat ein Zeitlimit", "Jede Abfrage des Archivs hat ein Zeitlimit"},
		{"a partir de maintenant les colis partent avec Colissimo",
			"A partir de maintenant les colis partent avec Colissimo"},
		{"A l'avenir les colis partent avec Colissimo", "A l'avenir les colis partent avec Colissimo"},
		{"desormais les colis partent avec Colissimo", "Desormais les colis partent avec Colissimo"},
		{"Pour la prochaine fois : la douane refuse les accents", "La douane refuse les accents"},
		{"Nouvelle règle : chaque requête du guichet porte un délai", "Chaque requête du guichet porte un délai"},
		{"Nueva regla: cada consulta del almacén lleva un límite", "Cada consulta del almacén lleva un límite"},
		{"Новое правило: каждый запрос архива имеет таймаут", "каждый запрос архива имеет таймаут"},
	} {
		if got := keptTitles(t, c[0]); !slices.Equal(got, c[1:]) {
			t.Errorf("%q: %q, want %q", c[0], got, c[1])
		}
	}
	for _, said := range []string{
		"make a note in the readme of the archive", "make a note of the ports that the archive uses",
		"the linter has a new rule about imports", "what will we need for next time?",
		"à partir de quelle heure le guichet ferme", "note que le log du guichet date d'hier",
		"Add a new rule: block port 22 from outside", "the firewall got a new rule: deny the guest network",
		"The firewall leaks. New rule: block port 22 from outside", "I added a new rule: deny the guest network",
		"Wir brauchen in der Firewall eine neue Regel: Port 22 von außen sperren",
		"Ajoute une nouvelle règle : bloquer le port 22", "Añade una nueva regla: bloquear el puerto 22",
		"keep in mind that I am on the train", "Keep in mind that this is only a prototype", "make a note: dentist at 5",
		"for the future: we could think about caching", "for next time: we could think about caching",
		"fürs nächste mal, danke", "schreib dir auf, was noch fehlt", "notiere dir die offenen Punkte",
		"Notiere dir bitte: ich bin morgen nicht da", "Notiere dir, dass ich morgen nicht da bin",
	} {
		if got := keptTitles(t, said); len(got) > 0 {
			t.Errorf("%q: kept %q", said, got)
		}
	}
}

// A complaint is no rule, nor is what an agent is to do once, whatever words they begin with.
func TestComplaintsAndErrandsAreNotKept(t *testing.T) {
	for _, said := range []string{
		"from now on the preview hangs whenever I scroll down",
		"Going forward it freezes as soon as I open a second tab",
		"From now on the editor crashes on startup, can you check the log",
		"ab jetzt stürzt die Vorschau ab, sobald ich scrolle",
		"Ab sofort crasht der Editor beim Öffnen, schau mal ins Log",
		"dorénavant le terminal se bloque au lancement",
		"à partir de maintenant l'aperçu rame tout le temps, tu peux regarder le log",
		"a partir de ahora el editor se cuelga al abrir",
		"remember, I was going to give you the new logo",
		"Remember, you wanted to show me the second draft of the letter",
		"Denk daran, nachher noch die Bilder hochzuladen",
		"Vergiss nicht, dass wir heute noch das Logo besprechen",
		"Merk dir, dass ich dir gleich noch das Logo schicke",
		"n'oublie pas que je t'envoie le logo ce soir",
		"Recuerda que hoy reviso el logo contigo",
		"From now on it crashes whenever I run it without the flag",
		"Ab jetzt hängt sich der Build auf, wenn ich npm nutze",
	} {
		if got := keptTitles(t, said); len(got) > 0 {
			t.Errorf("%q: kept %q", said, got)
		}
	}
	for _, said := range []string{
		"From now on the preview hangs up the call when the callee does not answer",
		"From now on the worker crashes if the config is missing, so that the supervisor restarts it",
		"from now on it crashes when I press enter, so always test the form with the keyboard",
		"From now on the lights freeze when the operator opens the door",
		"Ab sofort stürzt sich niemand mehr auf die alten Tickets",
		"Ab jetzt hängt der Preis von der Menge ab",
		"Ab sofort hängt der Preis davon ab, wie viel ich bestelle",
		"désormais la requête plante si le token manque",
		"Remember that you were right about the cache: it needs the tenant in the key",
		"remember to save the draft before you run the importer",
		"Denk daran, dass die Preise ab heute netto sind",
		"Vergiss nicht, dass heute wie morgen jede Buchung zwei Zeilen hat",
		"Merk dir, dass beide Konten der Kasse gleich heißen",
		"n'oublie pas que le guichet est toujours fermé ce soir-là",
		"Recuerda que desde hoy los recibos llevan dos firmas",
		"From now on never name a server after a singer lol",
		"From now on the build server is named heron :)",
		"please remember that the ledger is read only lol",
		"ab jetzt heißt der Drucker Kevin 😂",
		"From now on it crashes whenever I run it without the flag, always pass --safe",
		"Ab jetzt hängt sich der Build auf, wenn ich npm nutze, also immer pnpm verwenden",
		"Merk dir endlich, dass Preise in Cent sind, das hast du heute schon wieder vergessen",
		"N'oublie pas que les prix sont en centimes, tu l'as encore oublié aujourd'hui",
		"Recuerda que los precios van en céntimos, hoy lo has olvidado otra vez",
		"Remember to update the changelog before you leave",
		"Remember you promised me to never touch the generated files",
	} {
		if got := keptTitles(t, said); len(got) != 1 {
			t.Errorf("%q: kept %q", said, got)
		}
	}
}

// What the user asks about somebody's words is not what the user says. A rule stays one if a question follows it.
func TestAQuestionBehindARule(t *testing.T) {
	for said, want := range map[string]int{
		"The auditor thinks we must never share the ledger. Is he right?":           0,
		"Ben says we always close the till at noon. Is that true?":                  0,
		"Der Prüfer meint, wir dürfen das Kassenbuch niemals teilen. Stimmt das?":   0,
		"On m'a dit qu'il ne faut jamais partager le registre. C'est vrai ?":        0,
		"Never edit the ledger by hand, because it is generated. Is he there?":      1,
		"From now on the ledger is shared with the auditor. Is that right for you?": 1,
		"Never use floats for money. Is this correct in invoice.go?":                1,
		"We always use UTC in the database. Is that correct in the importer too?":   1,
		"Never commit secrets to the repo. Is that so hard?":                        1,
		"Niemals auf main pushen, weil das die CI bricht. Ist das so schwer?":       1,
		"Wir verwenden immer UTC in der Datenbank. Stimmt das im Importer auch?":    1,
		"Il ne faut jamais pousser sur main. C'est vrai aussi pour les tags ?":      1,
		"Nunca uses floats para dinero. ¿Es correcto en invoice.go?":                1,
	} {
		got := New().Extract(t.Context(), messages(testGate(t), said), nil)
		if n := len(got.Candidates) + len(got.Below); n != want {
			t.Errorf("%q: %v, %v", said, got.Candidates, got.Below)
		}
	}
}

// Each thing that one message asks to remember is a memory of its own.
func TestSeveralThingsInOneMessage(t *testing.T) {
	for said, want := range map[string]string{
		"Remember that the ferry terminal blocks port 25. Remember that the archive server sleeps after midnight. " +
			"Don't forget that the customs office only takes XML.": "The ferry terminal blocks port 25|" +
			"The archive server sleeps after midnight|The customs office only takes XML",
		"Remember: parcels over 30 kg go by truck\nRemember: letters go by bike\nRemember: no parcel goes by ferry": "" +
			"Parcels over 30 kg go by truck|Letters go by bike|No parcel goes by ferry",
		"Some conventions:\n- from now on parcels are weighed twice\n- never open a parcel of the customs office, " +
			"because it is sealed\n- remember that the ferry terminal has no scanner": "From now on parcels are weighed " +
			"twice|Never open a parcel of the customs office, because it is sealed|The ferry terminal has no scanner",
		"Remember that parcels are weighed twice. That way we never pay too much.": "Parcels are weighed twice",
		"Remember these rules:\n- parcels over 30 kg go by truck\n- letters go by bike": "Remember these rules: " +
			"- parcels over 30 kg go by truck - letters go by bike",
		"From now on:\n- never push to main\n- always run the linter before you commit\n- write letters in English": "" +
			"From now on: - never push to main - always run the linter before you commit - write letters in English",
		"Remember these rules:\n- never push to main\n- always run the linter before you commit\n- write letters in " +
			"English": "Remember these rules: - never push to main - always run the linter before you commit - write " +
			"letters in English",
		"Remember to add tests. Remember to add docs. Remember to add a changelog entry.": "Remember to add docs",
		"From now on:\n\n* weigh parcels twice\n* letters go by bike\n\nNow fix the scanner": "From now on: " +
			"* weigh parcels twice * letters go by bike",
	} {
		if got := strings.Join(keptTitles(t, said), "|"); got != want {
			t.Errorf("%q:\n%q, want\n%q", said, got, want)
		}
	}
	got := New().Extract(t.Context(), messages(testGate(t),
		"Remember these rules:\n- parcels over 30 kg go by truck\n- letters go by bike"), nil).Candidates
	if len(got) != 1 || !strings.Contains(got[0].Body.String(), "\n- letters go by bike\n") {
		t.Errorf("%v", got)
	}
}

// "Keep in mind" is often said about the task at hand, so it alone keeps nothing.
func TestWhatToKeepInMindIsProposed(t *testing.T) {
	got := New().Extract(t.Context(), messages(testGate(t),
		"keep in mind that the harbour clock runs five minutes late"), nil)
	if len(got.Candidates) != 0 || len(got.Below) != 1 ||
		got.Below[0].Title.String() != "The harbour clock runs five minutes late" {
		t.Errorf("%v, %v", got.Candidates, got.Below)
	}
}

// A session yields a limited number of memories; the rest is proposed, also of one paragraph.
func TestWhatIsTooMuchIsProposed(t *testing.T) {
	places := []string{"harbour", "airport", "station", "warehouse", "showroom", "workshop"}
	said := ""
	for _, p := range places {
		said += "Remember that the " + p + " closes on Sundays. "
	}
	got := New().Extract(t.Context(), messages(testGate(t), said), nil)
	if len(got.Candidates) != maxAsked || len(got.Below) != 1 || got.Below[0].Why != TooMany {
		t.Errorf("%v, %v", got.Candidates, got.Below)
	}
	got = New().Extract(t.Context(), messages(testGate(t), "Never edit the migrations by hand, because they are "+
		"generated. From now on letters go by bike."), nil)
	if len(got.Candidates) != 1 || len(got.Below) != 1 || got.Below[0].Why != TooMany {
		t.Errorf("%v, %v", got.Candidates, got.Below)
	}
}

// A correction in the same message replaces what it corrects, and what is said twice is one memory.
func TestAMessageThatCorrectsItself(t *testing.T) {
	for said, want := range map[string]string{
		"Remember that staging is called hera. No wait, remember that staging is called zeus.": "No wait, remember that " +
			"staging is called zeus",
		"Ab jetzt Tabs in Python. Nein, ab jetzt Leerzeichen in Python.": "Nein, ab jetzt Leerzeichen in Python",
		"From now on write tests in Jest. Scratch that, from now on write tests in Vitest.": "Scratch that, from now on " +
			"write tests in Vitest",
		"Remember that we always squash. Forget that, remember that we always rebase.": "Forget that, remember that we " +
			"always rebase",
		"Désormais les tests sont en Jest. Non, désormais les tests sont en Vitest.": "Non, désormais les tests sont en " +
			"Vitest",
		"Ab jetzt nie auf main pushen. Nochmal: ab jetzt nie auf main pushen!": "Ab jetzt nie auf main pushen",
		"Remember that the api is at port 8080. Actually, remember that the api is at port 9090.": "The api is at port " +
			"9090",
		"From now on the importer skips empty rows. No wait. From now on the importer keeps empty rows.": "From now on " +
			"the importer keeps empty rows",
		"Remember that we always squash. Remember that the ferry sails to Hull. No, remember that the ferry sails to " +
			"Leith.": "We always squash|The ferry sails to Leith",
		"Remember that the harbour closes on Sundays. Remember that the airport closes on Sundays.": "The harbour closes " +
			"on Sundays|The airport closes on Sundays",
	} {
		if got := strings.Join(keptTitles(t, said), "|"); got != want {
			t.Errorf("%q:\n%q, want\n%q", said, got, want)
		}
	}
}
