package recall

import (
	"testing"

	"keepmum/store"
)

func TestAQuestionAloneSettlesNothing(t *testing.T) {
	for _, q := range []string{
		"a patient was booked 2 minutes after the patient before, is the gap after every patient right?",
		"a patient was booked 7 minutes after the one before; how long must the gap after every patient be?",
		"Why is every patient given at least 5 minutes? And who decided that?",
		"is every patient given at least a 5 minute gap",
		"ok so why do we never deploy on a Friday",
		"how can we always leave a gap of 5 minutes?",
		"can you tell me whether we always leave a gap of 5 minutes?",
		"¿Por qué siempre dejamos 5 minutos, nobody knows?",
		"shall we always leave a gap of 10 minutes instead? \"I must know\"?)",
	} {
		if st := stated(moment{user: store.Line{Text: q}}); st.settles != 0 {
			t.Errorf("%q settles %.1f", q, st.settles)
		}
		if st := answered(moment{after: &store.Line{Text: q}}); st.settles != 0 {
			t.Errorf("as an answer %q settles %.1f", q, st.settles)
		}
	}
	asked := store.Line{Text: "Shall the gap be 5 or 10 minutes?"}
	if st := stated(moment{before: &asked, user: store.Line{Text: "why is it always 5?"}}); st.settles != 0 {
		t.Errorf("a question settles a question: %.1f", st.settles)
	}
}

func TestARuleNextToAQuestionOrInItsFormSettlesSomething(t *testing.T) {
	for _, rule := range []string{
		"why 2 minutes? there must always be a gap of 5 minutes",
		"Why is it 2 minutes? There must always be a gap of 5 minutes. What do you think?",
		"leave a gap of at least 5 minutes after every patient, ok?",
		"you know that we never push to main without a review, don't you?",
		"we only support Node 20 because of the bank, why do you test 18?",
		"immer 5 Minuten, at least, einverstanden?",
		"can we always leave a gap of at least 5 minutes after a patient from now on?",
		"does not matter what they say, there is always a gap",
		"do the gap of 5 minutes always",
		"should the boat be late, the skipper decides, not the office, always",
	} {
		if st := stated(moment{user: store.Line{Text: rule}}); st.settles == 0 {
			t.Errorf("%q settles nothing", rule)
		}
	}
	asked := store.Line{Text: "Shall the gap be 5 or 10 minutes?"}
	if st := stated(moment{before: &asked, user: store.Line{Text: "5"}}); st.settles == 0 || st.asked == "" {
		t.Errorf("an answer settles nothing: %+v", st)
	}
}

func TestWhatOnlyLooksLikeAQuestionSettlesSomething(t *testing.T) {
	asked := &store.Line{Text: "Shall the payment webhook retry at most 3 times, because the provider blocks more?"}
	for _, text := range []string{"sure, why not?", "3?", "yes please, can you do that?", "do it?", "how about 5?"} {
		if st := stated(moment{before: asked, user: store.Line{Text: text}}); st.settles == 0 || st.asked == "" {
			t.Errorf("%q settles nothing", text)
		}
	}
	for _, text := range []string{"did it, and from now on the workspace scripts use pnpm instead of npm",
		"was the wrong port: the integration database always listens on 5433",
		"yes, always at most 3, because the provider blocks more, but where do we see it?",
		"is the default from now on", "was the cache that must always expire"} {
		if st := stated(moment{user: store.Line{Text: text}}); st.settles == 0 {
			t.Errorf("%q settles nothing", text)
		}
	}
}

func TestAnAnswerThatSaysNothingIsNotAResult(t *testing.T) {
	for text, want := range map[string]bool{
		"Done as you said.": false, "I will look.": false, "ok": false, "fertig": false, "Noted.": false, "": false,
		"Hecho.": false, "Let me check.": false, "It was the cache.": true, "The cause was DNS.": true,
		"Europe/Vienna.": true, "The port is 8080.": true,
		"The footer shows the address of the office now.": true, "Done. All 14 tests pass.": true,
	} {
		if st := answered(moment{after: &store.Line{Text: text}}); st.settles > 0 != want {
			t.Errorf("%q settles %.1f", text, st.settles)
		}
	}
}
