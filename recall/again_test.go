package recall_test

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"keepmum/privacy"
	"keepmum/recall"
	"keepmum/store"
)

// said is a chat: user and agent in turns, some days after the first one.
type said struct {
	day   int
	turns []string
}

func chats(t *testing.T, all ...said) (*store.DB, int64) {
	t.Helper()
	db, err := store.Open(t.Context(), store.Options{Path: filepath.Join(t.TempDir(), "memory.db")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	gate, err := privacy.New(privacy.Options{})
	if err != nil {
		t.Fatal(err)
	}
	clean := func(s string) privacy.Clean { c, _ := gate.Text(s); return c }
	for i, chat := range all {
		ref := store.SessionRef{Agent: privacy.Const("claude"), Native: clean(fmt.Sprint("session ", i)), Project: keepmum()}
		for n, text := range chat.turns {
			at := time.Date(2026, 3, 1+chat.day, 9, n, 0, 0, time.UTC)
			p := store.Prompt{Session: ref, Role: store.RoleUser, Text: clean(text), At: at}
			if n%2 == 1 {
				p.Role = store.RoleAssistant
			}
			if _, err := db.PutPrompt(t.Context(), p); err != nil {
				t.Fatal(err)
			}
		}
	}
	id, ok, err := db.FindProject(t.Context(), keepmum())
	if err != nil || !ok {
		t.Fatalf("no project: %v", err)
	}
	return db, id
}

const ferryAsked = "a school wants to book a group of eighty passengers on the Lismore sailing, " +
	"the purser refuses boarding"

// ferry settles how many passengers of a group may board, and ferryLater takes that back.
var (
	ferry = []string{
		"look at the booking of groups on the Lismore ferry, the purser complains about boarding",
		"The purser counts passengers by hand, and a group of ninety was booked on one sailing.",
		"then a group is at most forty passengers per sailing, always, because the purser cannot count more at boarding",
	}
	ferryLater = []string{
		"the purser has a scanner now, look at the groups of passengers on the Lismore sailing again",
		"The scanner counts a group while it is boarding the ferry.",
		"scrap the limit of forty passengers per sailing, no limit on groups from now on, the scanner counts them",
	}
	cabin = []string{
		"the cabin heating page is slow",
		"It asks the thermostat on every request.",
		"scrap the thermostat cache from now on, ask it once a minute instead",
	}
)

var replaced = regexp.MustCompile(`\((\d+)\), replaced by (\d+)`)

func TestALaterReversalIsToldNextToWhatItReplaces(t *testing.T) {
	db, project := chats(t, said{0, ferry}, said{20, cabin}, said{30, ferryLater})
	text := ask(t, db, project, ferryAsked).Text
	m := replaced.FindStringSubmatch(text)
	if m == nil || !strings.Contains(text, "no limit on groups") || !strings.Contains(text, "at most forty") {
		t.Fatalf("told:\n%s", text)
	}
	for line := range strings.Lines(text) {
		if strings.Contains(line, ", replaced by ") != strings.Contains(line, "at most forty") {
			t.Errorf("the wrong line is called replaced: %s", line)
		}
		if strings.Contains(line, "no limit on groups") && !strings.Contains(line, "("+m[2]+")") {
			t.Errorf("replaced by %s, which is another line than %s", m[2], line)
		}
	}
}

func TestWhatTakesBackSomethingElseOrCameBeforeReplacesNothing(t *testing.T) {
	for name, all := range map[string][]said{
		"another subject": {{0, ferry}, {30, cabin}},
		"before":          {{0, ferryLater}, {30, ferry}},
	} {
		db, project := chats(t, all...)
		text := ask(t, db, project, ferryAsked).Text
		for line := range strings.Lines(text) {
			if strings.Contains(line, ", replaced by ") && strings.Contains(line, "at most forty") {
				t.Errorf("%s: %s", name, text)
			}
		}
		if !strings.Contains(text, "at most forty") {
			t.Errorf("%s: the rule is not told:\n%s", name, text)
		}
	}
}

// A prompt may begin with a paste of hundreds of words; what it is about may stand at its end.
func TestWhatALongPromptAsksAtItsEndIsTold(t *testing.T) {
	db, id := chats(t, said{turns: ferry})
	var paste strings.Builder
	for i := range 90 {
		fmt.Fprintf(&paste, "zz%c%cquux ", 'a'+i/26, 'a'+i%26)
	}
	about, err := db.Subjects(t.Context(), store.Subjects{Projects: []int64{id},
		Text: paste.String() + "\nhow many passengers of a group does the purser let board the Lismore ferry?"})
	if err != nil || len(about.Subjects) == 0 {
		t.Fatalf("%+v, %v", about, err)
	}
	if about.Known <= 0 || about.Known > about.All/2 {
		t.Errorf("%v of %v is known: a few words of many", about.Known, about.All)
	}
}

// The current prompt is not an earlier one, even if the clock was set back since those.
func TestAClockSetBackSilencesNothing(t *testing.T) {
	db, id := chats(t, said{0, ferry}, said{9, []string{"good morning, let us begin with the letters"}})
	ref := store.SessionRef{Agent: privacy.Const("claude"), Native: privacy.Const("session 1"), Project: keepmum()}
	p, err := db.PutPrompt(t.Context(), store.Prompt{Session: ref, Text: privacy.Const(ferryAsked),
		At: time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)})
	if err != nil {
		t.Fatal(err)
	}
	row, err := db.FindSession(t.Context(), ref.Agent, ref.Native)
	if err != nil {
		t.Fatal(err)
	}
	b, err := recall.Find(t.Context(), db, recall.Ask{Project: id, Row: row.ID, Doc: p.ID, Name: "keepmum",
		Prompt: ferryAsked, Tokens: 400, MaxEntries: 5, Now: time.Now()})
	if err != nil || !strings.Contains(b.Text, "forty passengers") {
		t.Errorf("told %q because %q, %v", b.Text, b.Reason, err)
	}
}

// What was replaced is no news for a session that was told what replaced it.
func TestARuleIsNotToldAfterWhatReplacedIt(t *testing.T) {
	db, project := chats(t, said{0, ferry}, said{20, cabin}, said{30, ferryLater},
		said{31, []string{"good morning, let us begin with the letters"}})
	text := ask(t, db, project, ferryAsked).Text
	m := replaced.FindStringSubmatch(text)
	if m == nil {
		t.Fatalf("told:\n%s", text)
	}
	later, err := strconv.ParseInt(m[2], 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	ref := store.SessionRef{Agent: privacy.Const("claude"), Native: privacy.Const("session 3"), Project: keepmum()}
	row, err := db.FindSession(t.Context(), ref.Agent, ref.Native)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.PutInjection(t.Context(),
		store.Injection{Project: project, Session: row.ID, Entries: []store.Injected{{ID: later}}}); err != nil {
		t.Fatal(err)
	}
	b, err := recall.Find(t.Context(), db, recall.Ask{Project: project, Row: row.ID, Name: "keepmum",
		Prompt: ferryAsked, Tokens: 400, MaxEntries: 5, Now: time.Now()})
	if err != nil || strings.Contains(b.Text, "at most forty") {
		t.Errorf("told %q, %v", b.Text, err)
	}
}

// What was asked before, in the same words, answers nothing.
func TestACopyOfThePromptIsNotTold(t *testing.T) {
	const order = "write a pattern that matches times like 14:05 or 9:07 in the timetable of the ferry"
	db, project := chats(t, said{0, []string{order}}, said{20, cabin})
	if b := ask(t, db, project, order); b.Text != "" {
		t.Errorf("told:\n%s", b.Text)
	}
}

// Nobody who sets another number says "instead": the newer one counts, also that of a memory.
func TestALaterNumberReplacesTheOlderOne(t *testing.T) {
	sets := func(n string) []string {
		return []string{"look at the ropes page of the climbing gym, the safety officer called",
			"The page lists the ropes with the day on which each was bought.",
			"ropes of the climbing gym are checked every " + n + " months"}
	}
	db, project := chats(t, said{0, sets("6")}, said{20, cabin}, said{30, sets("4")})
	text := ask(t, db, project, "how often are the ropes of the climbing gym checked?").Text
	for line := range strings.Lines(text) {
		if strings.Contains(line, "every 6 months") != strings.Contains(line, ", replaced by") {
			t.Errorf("told:\n%s", text)
		}
	}
	if !strings.Contains(text, "every 4 months") {
		t.Errorf("the newer number is not told:\n%s", text)
	}
}
