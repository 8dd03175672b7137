package recall_test

import (
	"strings"
	"testing"
)

// Statements may be as long as the space allows, not only the best one.
func TestWhatIsLeftOfTheBudgetIsUsedForOtherStatements(t *testing.T) {
	pay := "groups on the Lismore sailing always pay at the kiosk because the purser has no change for passengers, " +
		"and whoever pays by card has to show it again at boarding since the bank insists on that, " +
		"which the harbour office agreed to in May after the third complaint, " +
		"and children never pay at all if they come with a school, " +
		"whatever the booking says about them, so that nobody has to count coins while the crew waits"
	seats := "a group on the Lismore sailing always sits on the upper deck, because the purser counts passengers " +
		"at boarding and can only see the stairs from there, unless there is wind, " +
		"in which case the captain decides and not the office, " +
		"and a school never sits next to the bar, whatever the booking says, since the parents insist on that and the " +
		"harbour office has agreed to it, so that somebody has to keep both tables free until noon"
	db, project := chats(t, said{0, []string{"look at the seats", "They are slow.", seats, "Noted.", "thanks"}},
		said{10, []string{"look at the kiosk page", "It is slow.", pay, "Noted.", "thanks"}})
	text := ask(t, db, project, ferryAsked).Text
	if !strings.Contains(text, "while the crew waits") || !strings.Contains(text, "free until noon") {
		t.Errorf("with space for both, told are:\n%s", text)
	}
}

func TestASentenceThatIsTooLongIsToldInPart(t *testing.T) {
	rule := "a group is always at most forty passengers per sailing" + strings.Repeat(", and nobody may add to it", 40)
	db, project := chats(t, said{0, []string{ferry[0], ferry[1], rule, "Noted.", "thanks"}})
	if text := ask(t, db, project, ferryAsked).Text; !strings.Contains(text, "at most forty") {
		t.Errorf("told:\n%s", text)
	}
}
