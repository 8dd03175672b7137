package extract

import "testing"

func keptTitles(t *testing.T, texts ...string) (out []string) {
	t.Helper()
	for _, c := range New().Extract(t.Context(), messages(testGate(t), texts...), nil).Candidates {
		out = append(out, c.Title.String())
	}
	return out
}

const (
	lockers     = "from now on lockers are cleaned every Monday, because the gym reopens then"
	gen         = "never touch the generated files in gen/, because they are overwritten"
	byHand      = "never edit the migrations by hand, because they are generated"
	messageRule = "From now on the commit messages are written in German. Now add the button to the form."
)

func TestARuleThatIsWithdrawnIsNotKept(t *testing.T) {
	for _, c := range [][]string{
		{lockers, "scratch that"},
		{lockers, "No, scrap that."},
		{lockers, "no, don't remember that"},
		{lockers, "Hm. Never mind that rule."},
		{lockers, "please don't save that in memory"},
		{lockers, "scratch that. Lockers are cleaned whenever there is time"},
		{lockers, "I changed my mind."},
		{lockers, "forget about the lockers rule"},
		{lockers, "drop the lockers rule"},
		{messageRule, "no, don't remember that"},
		{"ab jetzt werden die Schränke jeden Montag geputzt, weil das Studio dann öffnet", "Nein, streich das wieder."},
		{"ab jetzt werden die Schränke jeden Montag geputzt, weil das Studio dann öffnet", "merk dir das doch nicht"},
		{"a partir de ahora las facturas se envían a fin de mes", "no, olvida eso"},
		{gen, "add the column", "sorry, forget what I said about gen/"},
		{gen, "add the column", "I changed my mind, edit gen/ freely"},
		{"never edit etc by hand, because it is generated", "ok", "forget what I said about /etc"},
	} {
		if got := keptTitles(t, c...); len(got) != 0 {
			t.Errorf("%q: kept %q", c, got)
		}
	}
}

func TestTalkAboutTheWorkWithdrawsNoRule(t *testing.T) {
	for _, c := range [][]string{
		{lockers, "undo"},
		{lockers, "undo that"},
		{lockers, "revert the last commit"},
		{lockers, "never mind, found it"},
		{lockers, "never mind"},
		{lockers, "forget it, I do it myself"},
		{lockers, "never mind, I found the lockers page"},
		{lockers, "don't forget the lockers page"},
		{lockers, "add the column", "scratch that"},
		{lockers, "scratch that button, it is ugly"},
		{lockers, "scratch that. The header should be blue"},
		{messageRule, "scratch that"},
		{gen, "the tests in gen/ no longer fail"},
		{gen, "go back to gen/ and look again"},
		{gen, "revert your changes in gen/"},
		{gen, "drop the folder gen/ from the list of paths"},
		{gen, "I changed my mind about the generator of the charts"},
		{byHand, "undo the migrations that you changed"},
	} {
		if got := keptTitles(t, c...); len(got) != 1 {
			t.Errorf("%q: kept %q", c, got)
		}
	}
}
