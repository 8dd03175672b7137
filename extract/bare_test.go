package extract

import "testing"

func TestAMessageThatTakesBackWhatWasSaid(t *testing.T) {
	for _, m := range []string{"scratch that", "No, scrap that.", "I changed my mind", "streich das", "vergiss das",
		"olvida eso", "oublie ça", "don’t remember\nthat"} {
		if !TakesBack(m, "Noted, I'll keep that in mind.") {
			t.Errorf("%q takes nothing back", m)
		}
		for _, offer := range []string{"Noted. Shall I also add a hook which blocks it?",
			"Done. If you like, I can also add one.",
			"Done. Let me know if it should go.", "Erledigt. Ich kann auch eine Erinnerung anlegen.",
			"Hecho. Si quieres, lo borro."} {
			if TakesBack(m, offer) {
				t.Errorf("%q refuses %q", m, offer)
			}
		}
	}
	for _, m := range []string{"", "undo", "never mind, found it",
		"scratch that. Use pnpm 9 in the Dockerfile too", "scratch that itch"} {
		if TakesBack(m, "") {
			t.Errorf("%q takes something back", m)
		}
	}
}
