package daemon

import (
	"fmt"
	"strings"
	"testing"

	"keepmum/api"
	"keepmum/transcript"
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

// start begins a session and returns what its agent is told.
func (r *rig) start(t *testing.T, session string) string {
	t.Helper()
	return r.hook(t, map[string]any{"hook_event_name": "SessionStart", "session_id": session, "source": "startup"})
}

func stop(session, text string) map[string]any {
	return map[string]any{"hook_event_name": "Stop", "session_id": session, "last_assistant_message": text}
}

func edit(session, id, path string) map[string]any {
	return map[string]any{"hook_event_name": "PostToolUse", "session_id": session, "tool_name": "Edit", "tool_use_id": id,
		"tool_input":    map[string]any{"file_path": path, "old_string": "a", "new_string": "b"},
		"tool_response": map[string]any{"filePath": path}}
}

const csvTask = "Implement the CSV export for the invoices with all VAT columns"

func TestAStartDoesNotSayThatALaterAnswerIsTheTasks(t *testing.T) {
	r := startRig(t, t.TempDir())
	r.hook(t, prompt("s1", "p1", csvTask))
	r.hook(t, stop("s1", "The CSV export has the VAT columns now. Next: add the totals row."))
	r.hook(t, prompt("s1", "p2", "update the footer"))
	r.hook(t, edit("s1", "t1", projectDir+"/footer.html"))
	r.hook(t, stop("s1", "The footer shows the address of the office."))
	if told := r.start(t, "s2"); !strings.Contains(told, csvTask) || !strings.Contains(told, "totals row") {
		t.Errorf("told %s", told)
	}
	r.hook(t, prompt("s1", "p3", "go on"))
	r.hook(t, stop("s1", "The imprint link points to /imprint."))
	if told := r.start(t, "s3"); !strings.Contains(told, `last answered \"The imprint`) {
		t.Errorf("after it went on, told %s", told)
	}
}

func TestAStartDoesNotSayThatTheAnswerToAPrivatePromptIsTheTasks(t *testing.T) {
	r := startRig(t, t.TempDir())
	r.hook(t, prompt("s1", "p1", csvTask))
	r.hook(t, stop("s1", "The CSV export has the VAT columns now."))
	r.hook(t, prompt("s1", "p2", "<private>where does the link in the footer lead?</private>"))
	r.hook(t, stop("s1", "The imprint link points to /imprint."))
	if told := r.start(t, "s2"); !strings.Contains(told, `last answered \"The imprint`) {
		t.Errorf("told %s", told)
	}
}

func TestAQuestionThatNobodyAnsweredIsToldIfNothingElseIs(t *testing.T) {
	const where = "where is the file old/name.go?"
	r := startRig(t, t.TempDir())
	r.hook(t, prompt("first", "p1", where))
	if told := r.start(t, "s1"); !strings.Contains(told, where) {
		t.Errorf("of nothing but a question is told %s", told)
	}
	r.hook(t, prompt("work", "p1", csvTask))
	r.hook(t, stop("work", "The CSV export has the VAT columns now."))
	r.hook(t, prompt("asks", "p1", where))
	if told := r.start(t, "s2"); !strings.Contains(told, csvTask) || strings.Contains(told, "old/name.go") {
		t.Errorf("told %s", told)
	}
	r.hook(t, prompt("interrupted", "p1", "move the parser of dates into a package of its own"))
	if told := r.start(t, "s3"); !strings.Contains(told, "parser of dates") {
		t.Errorf("of an interrupted task is told %s", told)
	}
}

// bookings is a chat in which a rule is given that is kept as a memory. It returns what puts an event into its project.
func (r *rig) bookings(t *testing.T, rule string) (at func(map[string]any) map[string]any) {
	t.Helper()
	repo, agent := repository(t), t.TempDir()
	r.d.o.Transcripts = transcript.Roots{Claude: agent}
	said := []string{"look at the booking page", "It books one patient right after another.", rule,
		"Done, there is a gap of 10 minutes now.", "thanks"}
	transcribe(t, agent, repo, said...)
	at = func(event map[string]any) map[string]any { event["cwd"] = repo; return event }
	for i, text := range said {
		event := stop("5f0c2f6e-1d1b-4b7e-9a53-0c8d0a3f1e11", text)
		if i%2 == 0 {
			event = prompt("5f0c2f6e-1d1b-4b7e-9a53-0c8d0a3f1e11", fmt.Sprint("p", i), text)
		}
		r.hook(t, at(event))
	}
	r.sync(t, api.SyncRequest{})
	return at
}

// A rule that a session was told is not told it again as the memory that was made of it.
func TestARuleIsToldOnceInASession(t *testing.T) {
	r := startRig(t, t.TempDir())
	at := r.bookings(t, "Good. From now on leave a 10 minute gap after every patient, because the room must be aired")
	rule := "eave a 10 minute gap after every patient"
	if told := r.hook(t, at(prompt("new", "p0", gapAsked))); strings.Count(told, rule) != 1 {
		t.Errorf("told %s", told)
	}
	for i, text := range []string{"change colours", "translate labels", "newsletter header"} {
		r.hook(t, at(prompt("new", fmt.Sprint("p", i+1), text)))
	}
	const again = "does every patient get a 10 minute gap, the room must be aired?"
	if told := r.hook(t, at(prompt("new", "p4", again))); strings.Contains(told, rule) {
		t.Errorf("told again: %s", told)
	}
	if told := r.hook(t, at(prompt("other", "p0", again))); strings.Count(told, rule) != 1 {
		t.Errorf("another session is told %s", told)
	}
}

// A statement that is withheld does not replace the memory that was made of it.
func TestTheMemoryOfAGreetingWithARuleIsTold(t *testing.T) {
	r := startRig(t, t.TempDir())
	at := r.bookings(t, "Hey Claude, good morning. From now on leave a 10 minute gap after every patient, because "+
		"the room must be aired")
	told := r.hook(t, at(prompt("new", "p0", "is the gap after every patient 10 minutes?")))
	if !strings.Contains(told, "memory: ") || !strings.Contains(told, "eave a 10 minute gap after every patient") {
		t.Errorf("told %q", told)
	}
}

func TestAStatementThatWasTakenBackIsToldWithThat(t *testing.T) {
	r := startRig(t, t.TempDir())
	r.say(t, "old", "look at the list of the lockers")
	r.answer(t, "old", "It has no dates.")
	r.say(t, "old", "from now on lockers are cleaned every Monday, because the gym reopens then")
	r.answer(t, "old", "The lockers are cleaned every Monday now.")
	r.say(t, "old", "scratch that")
	r.answer(t, "old", "Gone.")
	told := r.say(t, "new", "a locker was not cleaned on Monday when the gym reopens, are lockers cleaned then?").Context
	if !strings.Contains(told, "lockers are cleaned every Monday") {
		t.Errorf("told %s", told)
	}
	for line := range strings.Lines(told) {
		if strings.Contains(line, "every Monday") && !strings.Contains(line, "), taken back by 5") {
			t.Errorf("told as if it stood: %s", line)
		}
	}
}
