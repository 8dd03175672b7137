//go:build browser

package page

import (
	"regexp"
	"testing"

	"github.com/chromedp/chromedp"

	"keepmum/team/pgtest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// joins makes a machine a member of the team of a database, with its project shared.
func (s *site) joins(t *testing.T, dsn, member, machine string) {
	t.Helper()
	made := s.mum(nil, "team", "invite", member, "--admin", dsn)
	own := regexp.MustCompile(`postgres://[^\s']+`).FindString(made)
	if own == "" {
		t.Fatalf("no address for %s in %s", member, made)
	}
	s.mum(nil, "team", "join", own, "--as", machine)
	s.mum(nil, "team", "share", "shop", "--key", "shop")
}

// The room of the team with a real database: who is there and since when, what was exchanged, a
// member muted and heard again, what one machine wrote shown on the other.
func TestTheTeamRoomWithADatabase(t *testing.T) {
	dsn := pgtest.Database(t)
	anna, ben, b := newSite(t, 10), emptySite(t), newBrowser(t)
	ben.up()
	ben.prompt("his", "hello, this is ben")
	anna.mum(nil, "team", "init", dsn, "--team", "acme")
	anna.joins(t, dsn, "anna", "laptop")
	ben.joins(t, dsn, "ben", "desk")
	b.open(t, anna)
	b.to(t, anna, "team")
	b.shows(t, "acme")
	b.sends(t, `form[action$="/inteam/sync"] button`, "sent, 0 items received")
	b.open(t, ben)
	b.to(t, ben, "team")
	b.sends(t, `form[action$="/inteam/sync"] button`, "received, 0 held back")
	b.to(t, ben, "search?q=Adyen&type=memory")
	b.shows(t, "Payments use Adyen")

	b.host = anna.base[:len(anna.base)-1]
	b.to(t, anna, "team")
	b.run(t, chromedp.Click(`//a[.="Show members"]`, chromedp.BySearch))
	b.until(t, `[...document.querySelectorAll("td")].some(d => d.innerText === "ben")`)
	for _, text := range []string{"Members", "laptop", "desk", "you"} {
		b.shows(t, text)
	}
	b.picture(t, anna.base+"team?ask=yes", "team")
	b.look(t, anna, "team?ask=yes", "team-asked")
	b.to(t, anna, "team?ask=yes")
	b.sends(t, `[aria-label="Mute ben"]`, "No agent here is told what ben wrote")
	b.sends(t, `[aria-label="Unmute ben"]`, "Agents here may be told what ben wrote")
	b.until(t, `document.documentElement.scrollWidth <= innerWidth + 1`)
	b.fine(t)
}
