package recall

import (
	"strings"

	"keepmum/store"
)

// thread follows which messages of a session are about its task.
type thread struct {
	*digest
	toTask bool        // the last prompt is the task;
	about  bool        // it is about the task;
	apart  bool        // another one since the task was not
	closed bool        // the last prompt was answered, and no tool was used since
	short  *store.Line // the last prompt, if it asks for something in a few words,
	before int         // how many tools were used before it,
	edited bool        // and whether something was edited since
}

// asked reads a prompt. A request in a few words is no task yet: "run the tests", "looks good".
func (t *thread) asked(l *store.Line) {
	t.closed, t.short, t.edited = false, nil, false
	switch {
	case t.task != nil && withdraws(l.Text, t.answer):
		if t.toTask {
			t.withdrawn = l
		}
		t.toTask, t.about = false, true
	case t.task == nil || isTask(l.Text):
		t.begin(l)
	case goesOn(l.Text):
		t.toTask, t.about = false, true
	default:
		t.toTask, t.about, t.apart = false, false, true
		if !isQuestion(l.Text) && !strings.HasPrefix(l.Text, "/") {
			t.short, t.before = l, len(t.work)
		}
	}
}

// begin makes a prompt the task.
func (t *thread) begin(l *store.Line) {
	t.task, t.answer, t.withdrawn, t.work = l, nil, nil, nil
	t.toTask, t.about, t.apart = true, true, false
}

// worked reads the use of a tool.
func (t *thread) worked(l *store.Line) {
	t.closed = false
	t.edited = t.edited || !l.Failed && len(changed(l)) > 0
}

// answered reads an answer. A short request becomes the task if something was edited for it, and the answer is about it.
func (t *thread) answered(l *store.Line) {
	words := store.ContentWords(l.Text)
	if t.short != nil && t.edited && share(store.ContentWords(t.short.Text), wordSet(words)) > 0 {
		work := t.work[t.before:]
		t.begin(t.short)
		t.work, t.short = work, nil
	}
	if t.takes(words) {
		t.answer = l
	}
	t.closed = true
}

// takes reports whether an answer with such words is one to the task.
func (t *thread) takes(words []string) bool {
	if t.task == nil || t.toTask && !t.closed {
		return true
	}
	return t.about && len(words) >= fewWords && (!t.unsure() || t.repeats(words))
}

// unsure reports whether an answer may be to something else: something else was asked since the task, to which "go on"
// may refer, or the prompt was answered before, so that the answer is to one that was not stored.
func (t *thread) unsure() bool { return t.apart || t.closed }

// repeats reports whether words continue the subject of the task and its answer.
func (t *thread) repeats(words []string) bool {
	said := strings.Join(texts(t.task, t.answer), "\n")
	return share(words, wordSet(store.ContentWords(said))) >= sameTopic
}

func wordSet(words []string) map[string]bool {
	set := map[string]bool{}
	for _, w := range words {
		set[w] = true
	}
	return set
}
