package daemon

import (
	"fmt"
	"strings"
	"testing"
)

const gapAsked = "a patient was booked 2 minutes after the patient before, is the gap after every patient right?"

// A question that several agents asked is not told; the rule that answers it is.
func TestARuleIsToldAndNotTheQuestionOfAnotherAgent(t *testing.T) {
	r := startRig(t, t.TempDir())
	r.say(t, "rule", "look at the booking page")
	r.answer(t, "rule", "It books one patient right after another.")
	r.say(t, "rule", "always leave a 5 minute gap after every patient, because the room must be aired")
	r.answer(t, "rule", "Done as you said.")
	for i, said := range []string{"The gap is 2 minutes there, so I set it right.", "ok", "I will look."} {
		session := fmt.Sprint("asks", i)
		told := r.say(t, session, gapAsked).Context
		if !strings.Contains(told, "always leave a 5 minute gap") {
			t.Errorf("agent %d is not told the rule:\n%s", i, told)
		}
		for _, not := range []string{"is the gap after every", "Done as you said", `"ok"`, "I will look"} {
			if strings.Contains(told, not) {
				t.Errorf("agent %d is told %q:\n%s", i, not, told)
			}
		}
		r.answer(t, session, said)
	}
}
