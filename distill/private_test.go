package distill_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"keepmum/distill"
)

const (
	named    = "northgate merger"
	teaching = "remember: the founder sells the house to the " + named + " people before the summer comes"
)

// titled adds a title of each kind, and a record of another branch.
func (r *rig) titled(path, id string) {
	r.t.Helper()
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		r.t.Fatal(err)
	}
	for _, line := range []string{
		fmt.Sprintf(`{"type":"summary","summary":"The %s","leafUuid":"x"}`, named),
		fmt.Sprintf(
			`{"type":"assistant","sessionId":%q,"gitBranch":"feat/%s","timestamp":%q,"message":{"role":"assistant","id":"last","content":"ok"}}`, id, named, r.now.Add(-2*time.Hour).Format(time.RFC3339)),
		fmt.Sprintf(`{"type":"custom-title","customTitle":"The %s","sessionId":%q}`, named, id),
	} {
		if _, err := fmt.Fprintln(f, line); err != nil {
			r.t.Fatal(err)
		}
	}
	if err := f.Close(); err != nil {
		r.t.Fatal(err)
	}
	r.age(path)
}

func (r *rig) titles() (all []string) {
	for _, row := range r.jobs() {
		all = append(all, row.Title+" "+row.Branch)
	}
	return all
}

func TestTitlesOfWhatIsNotReadAreNotKept(t *testing.T) {
	r := newRig(t)
	path := r.claude("shop", "s1", user(always), user("#private: who buys us?"), assistant("noted"))
	r.titled(path, "s1")
	r.sync(distill.SyncOptions{})
	r.holdsNone(named)
	r.sync(distill.SyncOptions{Force: true})
	r.holdsNone(named)

	r.openCode("/home/dev/shop", "The "+named, "#private who buys us?", "true", "", "the "+named+" people")
	r.sync(distill.SyncOptions{})
	r.holdsNone(named)

	r.titled(r.claude("shop", "s2", user(always)), "s2")
	r.sync(distill.SyncOptions{})
	if all := strings.Join(r.titles(), "; "); !strings.Contains(all, named+" feat/"+named) {
		t.Errorf("of a session that is kept: %s", all)
	}
}

func TestTitlesOfPausedTimesAreNotKept(t *testing.T) {
	r := newRig(t)
	pause := `[{"from":"2026-03-01T09:30:00Z","until":"2026-03-01T10:30:00Z"},{"from":"2026-03-01T10:59:00Z","until":"2026-03-01T11:01:00Z"}]`
	if err := os.WriteFile(filepath.Join(r.home, "pauses.json"), []byte(pause), 0o600); err != nil {
		t.Fatal(err)
	}
	path := r.claude("shop", "s1", user(teaching))
	r.titled(path, "s1")
	r.openCode("/home/dev/shop", "The "+named, teaching, "true", "", "ok")
	r.sync(distill.SyncOptions{})
	r.append(path, "shop", "s1", 50, user(always)) // the pause is over
	r.age(path)
	if rep := r.sync(distill.SyncOptions{}); rep.Learnings != 1 {
		t.Errorf("%+v", rep)
	}
	r.holdsNone(named)

	// the title was set in a later pause
	r.titled(r.claude("shop", "s2", said{role: "user", text: always}, user("what else?")), "s2")
	late := filepath.Join(r.agents, "claude", "projects", "-home-dev-shop", "s2.jsonl")
	data, err := os.ReadFile(late)
	if err != nil {
		t.Fatal(err)
	}
	r.write(late, strings.ReplaceAll(strings.ReplaceAll(string(data), "T10:0", "T10:4"), "feat/"+named, "main"))
	r.sync(distill.SyncOptions{})
	r.holdsNone(named)
}

// A later reading begins after the prompt that made the session private, and a subagent has a file of its own.
func TestAPrivateSessionStaysPrivateForLaterReadings(t *testing.T) {
	r := newRig(t)
	path := r.claude("shop", "s1", user(always), user("#private now"))
	if rep := r.sync(distill.SyncOptions{}); rep.Learnings != 1 {
		t.Errorf("%+v", rep)
	}
	r.append(path, "shop", "s1", 5, user(teaching))
	r.titled(path, "s1")
	sub := filepath.Join(strings.TrimSuffix(path, ".jsonl"), "subagents", "agent-a1.jsonl")
	r.write(
		sub, fmt.Sprintf(
			`{"type":"user","isSidechain":true,"agentId":"a1","sessionId":"s1","cwd":"/home/dev/shop","timestamp":%q,"message":{"role":"user","content":%q}}`+"\n",
			r.now.Add(-2*time.Hour).Format(time.RFC3339), teaching))
	r.now = r.now.Add(time.Hour)
	if rep := r.sync(distill.SyncOptions{}); rep.Why["private session"] != 2 {
		t.Errorf("%+v", rep)
	}
	r.holdsNone(named)
	r.sync(distill.SyncOptions{Force: true})
	r.holdsNone(named)
}

func TestValuesOfPrivateBlocksAreKnownInAReading(t *testing.T) {
	r := newRig(t)
	r.claude("shop", "s1",
		user("log in with <private>hTqWvXzLkRmPbNc</private> and tell the <private>Gruber Fahrzeugbau</private> people"),
		assistant("I told Gruber Fahrzeugbau that hTqWvXzLkRmPbNc works."),
		user("remember: the tenant of Gruber Fahrzeugbau is always called hTqWvXzLkRmPbNc because they asked for it"))
	if rep := r.sync(distill.SyncOptions{}); rep.Learnings != 1 {
		t.Errorf("%+v", rep)
	}
	r.holdsNone("hTqWvXzLkRmPbNc", "Gruber Fahrzeugbau")
}
