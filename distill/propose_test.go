package distill_test

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"keepmum/distill"
	"keepmum/extract"
	"keepmum/memory"
	"keepmum/privacy"
	"keepmum/review"
	"keepmum/store"
)

// below puts every prompt that begins with "maybe" below the threshold.
func (r *rig) below(why extract.Why, confidence float64) {
	r.world.Extract = func(ctx context.Context, p int64, s extract.Session, from int) (extract.Result, error) {
		out, err := r.extract(ctx, p, s, from)
		for _, st := range s.Steps {
			if st.Role == extract.User && strings.HasPrefix(st.Text.String(), "maybe") {
				out.Below = append(out.Below,
					extract.Below{Why: why,
						Candidate: memory.Candidate{Primitive: memory.Learning, Kind: memory.Preference, Title: st.Text.Cut(60),
							Body: st.Text, Confidence: confidence, At: st.At,
							Sources: []memory.Source{{Session: privacy.Join("/", s.Agent, s.ID), Ref: st.Ref}}}})
			}
		}
		return out, err
	}
}

const perhaps = "maybe receipts are printed in black on every till, whatever the settings of the house may say"

func (r *rig) proposals() []store.ProposalRow {
	r.t.Helper()
	rows, err := r.db.Proposals(r.t.Context(), store.ProposalFilter{Hidden: true})
	if err != nil {
		r.t.Fatal(err)
	}
	return rows
}

func TestCandidatesBelowTheThresholdWaitForTheUser(t *testing.T) {
	r := newRig(t)
	r.below(extract.Unsure, .4)
	r.claude("shop", "s1", user(perhaps))
	plan := r.sync(distill.SyncOptions{DryRun: true})
	if plan.Proposed != 1 || len(r.proposals()) != 0 {
		t.Errorf("a dry run: %+v", plan)
	}
	rep := r.sync(distill.SyncOptions{})
	got := r.proposals()
	if rep.Proposed != 1 || rep.Summary().Proposed != 1 || len(got) != 1 || got[0].Sentence != perhaps ||
		got[0].Session != "claude/s1" ||
		len(r.memories("shop")) != 0 {
		t.Fatalf("%+v, %+v", rep, got)
	}
	files := r.files()
	if !strings.Contains(files["runs/"+rep.RunID+"/session.log"], "propose (below_the_bar): maybe receipts") {
		t.Errorf("the log: %s", files["runs/"+rep.RunID+"/session.log"])
	}
	rep = r.sync(distill.SyncOptions{Force: true})
	if actions := files["runs/"+rep.RunID+"/memory_actions.json"]; rep.Proposed != 0 || len(r.proposals()) != 1 {
		t.Errorf("again: %+v %s", rep, actions)
	}
}

func TestEveryDroppedCandidateHasAReason(t *testing.T) {
	for _, why := range []extract.Why{extract.NoObject, extract.TakenBack, extract.Repeated} {
		r := newRig(t)
		r.below(why, .4)
		r.claude("shop", "s1", user(perhaps))
		rep := r.sync(distill.SyncOptions{})
		files := r.files()
		if len(r.proposals()) != 0 || !strings.Contains(files["runs/"+rep.RunID+"/session.log"], "drop ("+string(why)+"):") ||
			!strings.Contains(files["runs/"+rep.RunID+"/memory_actions.json"], `"reason": "`+string(why)+`"`) {
			t.Errorf("%s: %+v\n%s", why, rep.Actions, files["runs/"+rep.RunID+"/session.log"])
		}
	}
}

func TestWhatIsKnownIsNotProposed(t *testing.T) {
	r := newRig(t)
	r.below(extract.Unsure, .4)
	r.claude("shop", "s1", user("remember: "+perhaps), user(perhaps))
	if rep := r.sync(distill.SyncOptions{}); rep.Learnings != 1 || rep.Proposed != 0 || len(r.proposals()) != 0 {
		t.Errorf("%+v", rep)
	}
}

func TestTheUsersReviewsShiftTheThreshold(t *testing.T) {
	for act, want := range map[review.Act]string{review.Keep: "1 0", review.Drop: "0 0", "": "0 1"} {
		r := newRig(t)
		r.below(extract.Unsure, .4)
		f := review.Open(r.home + "/review.jsonl")
		for i := range int64(8) {
			if act != "" {
				if err := f.Add(review.Label{Act: act, Proposal: i + 1, Why: string(extract.Unsure), Confidence: .4}); err != nil {
					t.Fatal(err)
				}
			}
		}
		r.world.Bar = f.Bar
		r.claude("shop", "s1", user(perhaps))
		r.sync(distill.SyncOptions{})
		if got := strings.Join([]string{count(len(r.memories("shop"))), count(len(r.proposals()))}, " "); got != want {
			t.Errorf("after %s: %s, want %s", act, got, want)
		}
	}
}

func count(n int) string { return string(rune('0' + n)) }

func TestNothingLikeWhatTheUserNeverWantsIsProposed(t *testing.T) {
	r := newRig(t)
	r.below(extract.Unsure, .4)
	r.claude("shop", "s1", user(perhaps))
	r.sync(distill.SyncOptions{})
	if err := r.db.DecideProposal(t.Context(), r.proposals()[0].ID, store.ProposalNever, 0); err != nil {
		t.Fatal(err)
	}
	r.claude("blog", "s2",
		user("maybe all receipts are printed in black on each till, whatever the settings of the house say"))
	rep := r.sync(distill.SyncOptions{})
	if len(r.proposals()) != 0 || len(rep.Actions) != 1 || rep.Actions[0].Reason != "never_like_this" {
		t.Errorf("%+v", rep)
	}
}

func TestWhatWasSaidNobodyKnowsWhereIsProposed(t *testing.T) {
	r := newRig(t)
	dir := filepath.Join(r.agents, "shop")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	const said = "remember: receipts are printed in black on every till, whatever the settings may say"
	slug := strings.Trim(regexp.MustCompile("[^a-zA-Z0-9]+").ReplaceAllString(dir, "-"), "-")
	for name, id := range map[string]string{slug: "c1", "home-nobody-here": "c2"} {
		path := filepath.Join(r.agents, "cursor", "projects", name, "agent-transcripts", id, id+".jsonl")
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		line := `{"role":"user","message":{"content":[{"type":"text","text":"<user_query>\n` + said + " " + id +
			`\n</user_query>"}]}}`
		if err := os.WriteFile(path, []byte(line+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	r.now = time.Now().Add(time.Hour)
	r.sync(distill.SyncOptions{})
	if got := r.memories("shop"); len(got) != 1 || !strings.Contains(strings.Join(got, " "), "receipts") {
		t.Errorf("in the folder that the name stands for: %q", got)
	}
	got := r.proposals()
	if len(got) != 1 || got[0].Why != string(extract.NoFolder) || !strings.HasSuffix(got[0].Body, "c2") {
		t.Errorf("without a folder: %+v", got)
	}
}
