package recall

import "testing"

func TestWhatAMessageSaysThatAsksForNothing(t *testing.T) {
	for said, all := range map[remark][]string{
		filling: {"ok", "Okay.", "alright then", "gut, dann", "vale", "ok entonces", "va bene", "então bom"},
		thanking: {"thanks!", "ok, thank you very much :)",
			"nice, it works now 🎉", "wow, really good work", "great job", "no problem, thats fine", "vielen Dank euch",
			"ok, sieht sehr gut aus", "läuft wieder, prima", "merci beaucoup, c'est nickel", "génial, ça marche",
			"muchas gracias, todo funciona", "perfecto, queda muy bien", "muito obrigada, ficou ótimo",
			"perfetto, grazie mille", "tutto funziona, ottimo lavoro", "super, gracias"},
		goingOn: {"ok, keep going", "yes go ahead please", "sure, do that", "ok then proceed", "great, continue",
			"yes, the second one", "option 2 please", "ja, mach das", "ok mach bitte weiter", "gut, weiter so machen wir das",
			"genau, die zweite Variante", "ok, vas-y", "d'accord, continue", "oui, fais comme tu proposes",
			"sí, sigue adelante", "vale, hazlo", "claro, la segunda opción", "sim, pode continuar", "ok, segue em frente",
			"sì, procedi pure", "certo, vai avanti", "ok va bene, continuiamo"},
		ending: {"commit and push it please", "yes, commit", "nice, you can merge it now", "great, open a PR",
			"that's it for now, bye", "ok leave it then, thx", "ok, good night", "have a nice weekend!",
			"push, tomorrow we'll check the logs",
			"danke, bis Montag früh", "gut, du kannst committen", "passt, Feierabend", "alles committen bitte",
			"danke, morgen prüfen wir den Rest", "Guten Abend noch", "merci, à demain",
			"c'est tout pour aujourd'hui, bonne soirée", "super, tu peux pousser tout", "gracias, hasta mañana",
			"genial, haz commit", "eso es todo por hoy",
			"obrigado, até amanhã", "pode fazer o commit", "valeu, boa noite", "grazie, a domani",
			"fai il commit, buona serata", "ok perfetto, puoi committare tutto"},
		specific: {"", "ok, rename the table", "thanks, now add the totals row", "looks good except the header",
			"commit?", "ok?", "¿sigo?", "can you go on?", "push the button into the toolbar", "commit the parser first",
			"tomorrow the certificate expires, renew it", "thanks, tomorrow we ship; write the release notes",
			"that works on Linux but fails on macOS", "go for the cache in redis", "das passt nicht", "it works, but slowly",
			"weiter unten fehlt ein Komma", "bis morgen brauche ich den Bericht", "merci d'ajouter un test",
			"sigue fallando", "sube el límite a 50", "gracias, pero falta el pie", "commit de ontem quebrou tudo",
			"continua a fallire il test", "buona idea ma costa troppo", "no", "nein", "fix typo", "3.1.2 then",
			"leave it in the cache", "run the tests",
			"the first line is missing", "see the second page", "continue with the footer of the invoices",
			"thanks for nothing, it crashes again", "go to the next milestone", "do it with a queue instead",
			"yes, but never on Fridays", "ok, from now on in UTC"},
	} {
		for _, text := range all {
			if got := remarkOf(text); got != said {
				t.Errorf("%q: %d, want %d", text, got, said)
			}
		}
	}
}

func BenchmarkRemark(b *testing.B) {
	for name, text := range map[string]string{
		"remark": "great, that looks good, you can commit and push it now", "task": "fix the footer of the invoice mails",
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				remarkOf(text)
			}
		})
	}
}
