package store_test

import (
	"testing"
	"time"

	"keepmum/privacy"
	"keepmum/store"
)

// state records that a session states a rule, and returns its mark.
func (r *syncRig) state(t *testing.T, native, rule string) store.RuleMark {
	t.Helper()
	mark := r.MarkRule(r.text(rule), r.text(rule+" Now fix "+native+"."), privacy.Clean{}, r.now)
	if err := r.PutRules(t.Context(), r.gate.ID("claude", native).String(), []store.RuleMark{mark}); err != nil {
		t.Fatal(err)
	}
	return mark
}

func (r *syncRig) stated(t *testing.T, project int64, mark store.RuleMark) int {
	t.Helper()
	got, err := r.RuleMarks(t.Context(), project, mark.Words)
	if err != nil {
		t.Fatal(err)
	}
	return len(got)
}

const rule = "Never reset the seeds"

func TestRulesAreCountedByProjectAndSession(t *testing.T) {
	r := newSyncRig(t)
	shop, _ := r.put(t, "one", "shop", "h", 30)
	r.put(t, "two", "shop", "h", 20)
	blog, _ := r.put(t, "three", "blog", "h", 10)
	mark := r.state(t, "one", rule)
	r.state(t, "two", "NEVER\nreset  the seeds!")
	r.state(t, "three", rule)
	r.state(t, "nobody knows this one", rule)
	r.now = r.now.Add(time.Hour)
	r.state(t, "one", rule)
	other := r.state(t, "one", "Never reset the clock")
	inShop, inBlog, ofOther := r.stated(t, shop.Project, mark), r.stated(t, blog.Project, mark),
		r.stated(t, shop.Project, other)
	if inShop != 2 || inBlog != 1 || ofOther != 1 {
		t.Errorf("%d in the shop, %d in the blog, %d of another rule", inShop, inBlog, ofOther)
	}
	got, err := r.RuleMarks(t.Context(), blog.Project, mark.Words)
	if err != nil || len(got) != 1 || !got[0].At.Equal(mark.At) || got[0].Message == mark.Message {
		t.Errorf("%+v, %v", got, err)
	}
	for _, text := range []string{mark.Words, mark.Message} {
		if len(text) != 64 || text == r.MarkRule(r.text("Never reset"), privacy.Clean{}, privacy.Clean{}, r.now).Words {
			t.Errorf("%q", text)
		}
	}
}

func TestRulesAreForgottenWithWhatTheyWereSaidIn(t *testing.T) {
	for name, c := range map[string]struct {
		forget func(t *testing.T, r *syncRig, prompt int64)
		left   int // sessions of the rule
	}{
		"a session": {func(t *testing.T, r *syncRig, _ int64) { r.forget(t, store.Selection{Session: "one"}) }, 1},
		"a prompt":  {func(t *testing.T, r *syncRig, prompt int64) { r.forget(t, store.Selection{IDs: []int64{prompt}}) }, 1},
		"a project": {func(t *testing.T, r *syncRig, _ int64) { r.forget(t, store.Selection{Project: "shop"}) }, 0},
		"a text": {func(t *testing.T, r *syncRig, _ int64) {
			if _, err := r.Replace(t.Context(), "the seeds"); err != nil {
				t.Fatal(err)
			}
		}, 0},
		"something else": {func(t *testing.T, r *syncRig, _ int64) { r.forget(t, store.Selection{Session: "three"}) }, 2},
	} {
		t.Run(name, func(t *testing.T) {
			r := newSyncRig(t)
			ref := store.SessionRef{Agent: privacy.Const("claude"), Native: r.text("one"),
				Project: store.Project{Name: r.text("shop")}}
			said, err := r.PutPrompt(t.Context(), store.Prompt{Text: r.text(rule), At: r.now, Session: ref})
			if err == nil {
				_, err = r.PutPrompt(t.Context(), store.Prompt{Text: r.text("good morning"), At: r.now, Session: ref})
			}
			if err != nil {
				t.Fatal(err)
			}
			row, _ := r.put(t, "one", "shop", "h", 30)
			r.put(t, "two", "shop", "h", 20)
			r.put(t, "three", "blog", "h", 10)
			mark := r.state(t, "one", rule)
			r.state(t, "two", rule)
			c.forget(t, r, said.ID)
			if n := r.stated(t, row.Project, mark); n != c.left {
				t.Errorf("%d sessions state the rule, want %d", n, c.left)
			}
		})
	}
}

func (r *syncRig) forget(t *testing.T, sel store.Selection) {
	t.Helper()
	plan, err := r.PlanForget(t.Context(), sel)
	if err == nil {
		err = r.Forget(t.Context(), plan)
	}
	if err != nil {
		t.Fatal(err)
	}
}
