//go:build unix

package daemon

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"keepmum/api"
	"keepmum/await"
	"keepmum/config"
	"keepmum/githistory"
	"keepmum/longtest"
	"keepmum/privacy"
	"keepmum/store"
	"keepmum/transcript"
)

// startBranches is a daemon and a repository with one commit.
func startBranches(t *testing.T, change ...func(*config.Config)) (*rig, gitRepo) {
	t.Helper()
	repo := newGitRepo(t)
	repo.write(t, "a.go", "package a\n\nfunc retry() {}\n")
	repo.commit(t, "first", "readme")
	return startHistory(t, repo, change...), repo
}

// learn is what an agent learns where a repository is checked out.
func (r *rig) learn(t *testing.T, dir, title, body string) api.Memory {
	t.Helper()
	out := r.remember(t, api.MemoryAdd{Title: title, Body: body, Directory: dir, Origin: "agent", Agent: "claude",
		Session: "s1", New: true})
	return out.Memory
}

// on are the titles that are listed where a repository is checked out.
func (r *rig) on(t *testing.T, dir string, more ...string) []string {
	t.Helper()
	path := "/memories?limit=1000&directory=" + dir + strings.Join(more, "")
	var out []string
	for _, m := range into[api.MemoryList](t, r.ask(t, "GET", path, "")).Memories {
		out = append(out, m.Title)
	}
	slices.Sort(out)
	return out
}

// tells reports whether an agent at work in a directory is told something, in any of the ways there are.
func (r *rig) tells(t *testing.T, dir, q, word string) bool {
	t.Helper()
	q = strings.ReplaceAll(q, " ", "+")
	context := r.ask(t, "GET", "/context?directory="+dir+"&q="+q, "").body
	found := r.ask(t, "GET", "/search?type=memory&directory="+dir+"&q="+q, "").body
	searched := r.ask(t, "GET", "/memories/search?directory="+dir+"&q="+q, "").body
	asked := r.post(t, "/ask", api.Question{Question: q, Directory: dir, NoModel: true}).body
	overview := r.ask(t, "GET", "/overview?directory="+dir, "").body
	said := []bool{strings.Contains(context, word), strings.Contains(found, word), strings.Contains(searched, word),
		strings.Contains(asked, word), strings.Contains(overview, word)}
	if slices.Contains(said, true) != said[0] || slices.Contains(said, true) && slices.Contains(said, false) {
		t.Errorf("in %s the ways to be told differ: %v", dir, said)
	}
	return said[0]
}

func (r gitRepo) work(t *testing.T, branch string) {
	t.Helper()
	r.git(t, "switch", "-q", "-c", branch)
	r.commit(t, "work on "+branch, branch+".go", branch+"_more.go")
}

func TestWhatIsLearnedOnABranchIsToldThereUntilItIsMerged(t *testing.T) {
	r, repo := startBranches(t)
	repo.work(t, "fix")
	r.look(t, repo.dir)
	if m := r.learn(t, repo.dir, quokkaTitle, quokkaBody); m.Branch != "fix" {
		t.Fatalf("learned on %q", m.Branch)
	}
	there := func(want bool, where string) {
		t.Helper()
		for dir, want := range map[string]bool{repo.dir: want} {
			if got := r.tells(t, dir, "how often does the quokka importer retry", "quokka"); got != want {
				t.Errorf("%s: told %v", where, got)
			}
			if got := slices.Contains(r.on(t, dir), quokkaTitle); got != want {
				t.Errorf("%s: listed %v", where, got)
			}
		}
	}
	there(true, "on the branch")
	repo.git(t, "switch", "-q", "main")
	there(false, "on main")
	repo.git(t, "checkout", "-q", "--detach", "fix")
	there(false, "on no branch")
	repo.git(t, "switch", "-q", "main")
	if got := r.on(t, repo.dir, "&branch=fix"); len(got) != 1 {
		t.Errorf("of the branch are listed %v", got)
	}
	repo.git(t, "merge", "-q", "--no-ff", "--no-edit", "fix")
	r.look(t, repo.dir)
	there(true, "after the merge")
	repo.git(t, "branch", "-D", "fix")
	r.look(t, repo.dir)
	there(true, "after the branch is gone")
}

func TestAWorktreeOfABranchIsToldWhatWasLearnedOnIt(t *testing.T) {
	longtest.Only(t)
	r, repo := startBranches(t)
	tree := gitRepo{filepath.Join(filepath.Dir(repo.dir), "tree")}
	repo.git(t, "worktree", "add", "-q", "-b", "fix", tree.dir)
	tree.commit(t, "work", "b.go")
	r.look(t, tree.dir)
	r.learn(t, tree.dir, quokkaTitle, quokkaBody)
	if len(r.on(t, tree.dir)) != 1 || len(r.on(t, repo.dir)) != 0 {
		t.Errorf("in the worktree %v, on main %v", r.on(t, tree.dir), r.on(t, repo.dir))
	}
	start := map[string]any{"hook_event_name": "UserPromptSubmit", "session_id": "s9", "cwd": tree.dir,
		"prompt": "how often does the quokka importer retry at night"}
	told := r.ask(t, "POST", "/hooks/claude", claude(t, start)).body
	start["cwd"], start["session_id"] = repo.dir, "s10"
	if other := r.ask(t, "POST", "/hooks/claude", claude(t, start)).body; !strings.Contains(told, "quokka") ||
		strings.Contains(other, "third connection") {
		t.Errorf("there: %s\non main: %s", told, other)
	}
}

func TestABranchThatGitProvesLostTakesItsMemoriesAlongAndTheyComeBack(t *testing.T) {
	r, repo := startBranches(t)
	repo.work(t, "fix")
	r.look(t, repo.dir)
	m := r.learn(t, repo.dir, quokkaTitle, quokkaBody)
	repo.git(t, "switch", "-q", "main")
	r.look(t, repo.dir)
	if file, err := os.ReadFile(m.File); err != nil || !strings.Contains(string(file), "\nbranch_base: ") {
		t.Errorf("where the branch left the default one is not in the file: %v\n%s", err, file)
	}
	repo.git(t, "branch", "-D", "fix")
	r.look(t, repo.dir)
	got := into[api.Memory](t, r.ask(t, "GET", fmt.Sprint("/memories/", m.Entry), ""))
	if got.State != "archived" || got.Body != quokkaBody {
		t.Fatalf("got %+v", got)
	}
	var restored reply
	await.True(t, "the file is read again after it was archived", func() bool {
		restored = r.post(t, fmt.Sprint("/memories/", m.Entry, "/restore"), struct{}{})
		return restored.status != http.StatusConflict
	})
	back := into[api.MemoryWritten](t, restored)
	r.look(t, repo.dir)
	if back.Memory.State != "active" || back.Memory.Branch != "" || len(r.on(t, repo.dir)) != 1 {
		t.Errorf("it came back as %+v", back.Memory)
	}
}

// A memory that has just been restored or promoted is in the index as one of its branch until its file is read again.
func TestALostBranchTakesNoMemoryThatHasLeftIt(t *testing.T) {
	r, repo := startBranches(t)
	repo.work(t, "fix")
	r.look(t, repo.dir)
	m := r.learn(t, repo.dir, quokkaTitle, quokkaBody)
	rows, err := r.d.db.Memories(t.Context(), store.MemoryFilter{Branch: "fix", AnyState: true})
	if err != nil || len(rows) != 1 {
		t.Fatal(rows, err)
	}
	tree, file, err := r.d.fileOfRow(t.Context(), rows[0])
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tree.Promote(file, r.d.stamp(privacy.Const("cli"))); err != nil {
		t.Fatal(err)
	}
	if err := r.d.settleBranch(t.Context(), tree.root.Project, "fix", githistory.Lost); err != nil {
		t.Fatal(err)
	}
	if now, err := os.ReadFile(m.File); err != nil || !strings.Contains(string(now), "quokka") {
		t.Errorf("it was archived: %v", err)
	}
}

func TestOnABranchAnotherAnswerHoldsThanElsewhere(t *testing.T) {
	r, repo := startBranches(t)
	main := r.remember(t, api.MemoryAdd{Title: "The quokka importer has a timeout of 30 seconds", Key: "quokka/timeout",
		Directory: repo.dir})
	repo.work(t, "fix")
	r.look(t, repo.dir)
	r.remember(t, api.MemoryAdd{Title: "The quokka importer has a timeout of 90 seconds", Key: "quokka/timeout",
		Directory: repo.dir, Branch: "fix"})
	if got := r.on(t, repo.dir); len(got) != 1 || !strings.Contains(got[0], "90") {
		t.Errorf("on the branch holds %v", got)
	}
	repo.git(t, "switch", "-q", "main")
	if got := r.on(t, repo.dir); len(got) != 1 || !strings.Contains(got[0], "30") {
		t.Errorf("on main holds %v", got)
	}
	repo.git(t, "merge", "-q", "--squash", "fix")
	repo.commit(t, "the fix (#3)")
	r.look(t, repo.dir)
	if got := r.on(t, repo.dir); len(got) != 1 || !strings.Contains(got[0], "90") {
		t.Errorf("after the merge holds %v", got)
	}
	old := into[api.Memory](t, r.ask(t, "GET", fmt.Sprint("/memories/", main.Memory.Entry), ""))
	if old.State != "superseded" {
		t.Errorf("what held before is %s", old.State)
	}
}

func TestAMemoryIsPromotedByHand(t *testing.T) {
	r, repo := startBranches(t)
	repo.work(t, "fix")
	r.look(t, repo.dir)
	m := r.learn(t, repo.dir, quokkaTitle, quokkaBody)
	out := into[api.MemoryWritten](t, r.post(t, fmt.Sprint("/memories/", m.Entry, "/promote"), struct{}{}))
	again := into[api.MemoryWritten](t, r.post(t, fmt.Sprint("/memories/", m.Entry, "/promote"), struct{}{}))
	repo.git(t, "switch", "-q", "main")
	if out.Memory.Branch != "" || again.Reason != "already" || len(r.on(t, repo.dir)) != 1 {
		t.Errorf("got %+v, then %+v, on main %v", out, again, r.on(t, repo.dir))
	}
}

func TestARenamedBranchTakesItsMemoriesAlong(t *testing.T) {
	r, repo := startBranches(t)
	repo.work(t, "fix")
	r.look(t, repo.dir)
	m := r.learn(t, repo.dir, quokkaTitle, quokkaBody)
	r.look(t, repo.dir)
	repo.git(t, "branch", "-m", "mend")
	r.look(t, repo.dir)
	if got := into[api.Memory](t, r.ask(t, "GET", fmt.Sprint("/memories/", m.Entry), "")); got.Branch != "mend" {
		t.Errorf("it is of %q", got.Branch)
	}
}

func TestABranchThatIsRenamedBeforeItsFirstCommitTakesItsMemoriesAlong(t *testing.T) {
	longtest.Only(t)
	r, repo := startBranches(t)
	t.Setenv("GIT_COMMITTER_DATE", "@1700000000 +0000") // another branch had the name long before
	repo.git(t, "switch", "-q", "-c", "tmp")
	repo.git(t, "branch", "-m", "tmp", "feature/before")
	t.Setenv("GIT_COMMITTER_DATE", "")
	repo.git(t, "switch", "-q", "-c", "tmp", "main")
	r.look(t, repo.dir)
	m := r.learn(t, repo.dir, quokkaTitle, quokkaBody)
	r.look(t, repo.dir)
	repo.git(t, "branch", "-m", "tmp", "feature/quokka")
	r.look(t, repo.dir)
	if got := into[api.Memory](t, r.ask(t, "GET", fmt.Sprint("/memories/", m.Entry), "")); got.Branch != "feature/quokka" {
		t.Errorf("it is of %q", got.Branch)
	}
	repo.commit(t, "work", "b.go")
	repo.git(t, "switch", "-q", "main")
	r.look(t, repo.dir)
	if got := r.on(t, repo.dir); len(got) != 0 {
		t.Errorf("on main are listed %v", got)
	}
	repo.git(t, "merge", "-q", "--ff-only", "feature/quokka")
	r.look(t, repo.dir)
	if got := r.on(t, repo.dir); len(got) != 1 {
		t.Errorf("after the merge are listed %v", got)
	}
}

func TestWithoutByBranchEverythingHoldsEverywhere(t *testing.T) {
	r, repo := startBranches(t, func(c *config.Config) { c.Memory.ByBranch = false })
	repo.work(t, "fix")
	r.look(t, repo.dir)
	if m := r.learn(t, repo.dir, quokkaTitle, quokkaBody); m.Branch != "" {
		t.Errorf("it is of %q", m.Branch)
	}
}

func TestTheTreeInARepositoryIsLeftToTheCheckout(t *testing.T) {
	r, repo := startBranches(t)
	if got := r.post(t, "/projects", api.ProjectAdd{Directory: repo.dir}); got.status != 200 {
		t.Fatalf("got %s", got.body)
	}
	repo.work(t, "fix")
	r.look(t, repo.dir)
	if m := r.learn(t, repo.dir, quokkaTitle, quokkaBody); m.Branch != "" || !strings.Contains(m.File, ".mum/memory") {
		t.Errorf("got %+v", m)
	}
}

// transcribeOn writes a session of a branch.
func transcribeOn(t *testing.T, agentHome, repo, branch string, said ...string) {
	t.Helper()
	transcribe(t, agentHome, repo, said...)
	file := filepath.Join(agentHome, "projects", "-shop", "5f0c2f6e-1d1b-4b7e-9a53-0c8d0a3f1e11.jsonl")
	rewrite(t, file, func(line map[string]any) { line["gitBranch"] = branch })
}

// A session that moves from branch to branch teaches each what was said on it.
func TestWhatIsSaidOnABranchIsOfThatBranchWhereverTheSessionEnds(t *testing.T) {
	longtest.Only(t)
	r, repo := startBranches(t)
	agent := t.TempDir()
	r.d.o.Transcripts = transcript.Roots{Claude: agent}
	repo.work(t, "ledger")
	repo.git(t, "switch", "-q", "main")
	repo.work(t, "fix")
	repo.git(t, "switch", "-q", "main")
	transcribe(t, agent, repo.dir,
		"we decided to go with the quokkaform format for the importer instead of CSV, because the warehouse reads no commas",
		"Done.",
		"we decided to go with the numbatdb engine for the ledger instead of SQLite, because two clerks write at once",
		"Done.",
		"back on main now, show me the bilby report", "Here it is.")
	file := filepath.Join(agent, "projects", "-shop", "5f0c2f6e-1d1b-4b7e-9a53-0c8d0a3f1e11.jsonl")
	branch := "main"
	rewrite(t, file, func(line map[string]any) {
		text, _ := json.Marshal(line)
		for word, of := range map[string]string{"quokkaform": "fix", "numbatdb": "ledger", "bilby report": "main"} {
			if bytes.Contains(text, []byte(word)) {
				branch = of
			}
		}
		line["gitBranch"] = branch
	})
	r.sync(t, api.SyncRequest{})
	got := map[string]string{}
	for _, m := range into[api.MemoryList](t, r.ask(t, "GET", "/memories?project=*&branch=*", "")).Memories {
		got[m.Branch] += m.Title + m.Body
	}
	for of, word := range map[string]string{"fix": "quokkaform", "ledger": "numbatdb"} {
		if !strings.Contains(strings.ToLower(got[of]), word) {
			t.Errorf("on %q is %q", of, got[of])
		}
	}
}

func TestWhatTheUserSaysOfAllTimesHoldsEverywhereAtOnce(t *testing.T) {
	r, repo := startBranches(t)
	agent := t.TempDir()
	r.d.o.Transcripts = transcript.Roots{Claude: agent}
	repo.work(t, "fix")
	transcribeOn(t, agent, repo.dir, "fix",
		"from now on exports of the shop always use the potoroosum checksum, because the warehouse refuses files without it",
		"I will add it to each export.",
		"we decided to go with the quokkaform format for the importer instead of CSV, because the warehouse reads no commas",
		"Done.")
	r.sync(t, api.SyncRequest{})
	all := into[api.MemoryList](t, r.ask(t, "GET", "/memories?directory="+repo.dir, "")).Memories
	by := map[string]string{}
	for _, m := range all {
		for _, word := range []string{"potoroosum", "quokkaform"} {
			if strings.Contains(strings.ToLower(m.Title+m.Body), word) {
				by[word] = m.Branch
			}
		}
	}
	if branch, ok := by["potoroosum"]; !ok || branch != "" {
		t.Errorf("what holds of all times: %v, all %+v", by, all)
	}
	if by["quokkaform"] != "fix" {
		t.Errorf("what was decided on the branch: %v, all %+v", by, all)
	}
}

// branchLife is a repository and its memories, at random.
type branchLife struct {
	t        *testing.T
	r        *rig
	repo     gitRepo
	rand     *rand.Rand
	at       string // the branch that is checked out
	there    []string
	own      map[string]bool  // a branch has commits of its own
	merged   map[string]bool  // its work is in main
	squashed map[string]bool  // some of it was merged by squashing
	learned  map[int64]string // where a memory is valid: on a branch, or "main" for everywhere
	log      []string
	n        int
}

func (l *branchLife) git(args ...string) {
	l.log = append(l.log, strings.Join(args, " "))
	l.repo.git(l.t, args...)
}

func (l *branchLife) step() {
	l.n++
	some := ""
	if len(l.there) > 0 {
		some = l.there[l.rand.IntN(len(l.there))]
	}
	switch op := l.rand.IntN(8); {
	case op == 0 || some == "":
		name := fmt.Sprint("b", l.n)
		l.git("switch", "-q", "-c", name, "main")
		l.at, l.there = name, append(l.there, name)
	case op == 1:
		l.switchTo(some)
	case op == 2:
		l.switchTo("main")
		l.commit()
	case op == 3:
		l.switchTo(some)
		l.commit()
		l.own[some], l.merged[some] = true, false
	case op == 4:
		l.merge(some, "merge", "-q", "--no-ff", "--no-edit", some)
		l.squashed[some] = false
	case op == 5 && l.own[some] && !l.merged[some]:
		l.merge(some, "merge", "-q", "--squash", some)
		l.git("commit", "-q", "--allow-empty", "-m", fmt.Sprint("squashed ", l.n))
		l.squashed[some] = true
	case op == 6:
		l.switchTo("main")
		l.git("branch", "-q", "-D", some)
		l.there = slices.DeleteFunc(l.there, func(b string) bool { return b == some })
	default:
		l.switchTo(some)
	}
	l.r.look(l.t, l.repo.dir)
	m := l.r.learn(l.t, l.repo.dir, fmt.Sprintf("Fact number %d of the quokka%d importer", l.n, l.n),
		fmt.Sprintf("It was learned in step %d, and says something that quokka%d alone says of itself.", l.n, l.n))
	l.learned[m.Entry] = l.at
	if l.merged[l.at] {
		l.learned[m.Entry] = "main"
	}
}

func (l *branchLife) switchTo(b string) {
	l.git("switch", "-q", b)
	l.at = b
}

func (l *branchLife) commit() {
	l.repo.write(l.t, fmt.Sprintf("f%d.go", l.n), fmt.Sprintf("line one of %d\nline two of %d\n", l.n, l.n))
	l.git("add", "-A")
	l.git("commit", "-q", "-m", fmt.Sprint("step ", l.n))
}

func (l *branchLife) merge(b string, args ...string) {
	l.switchTo("main")
	l.git(args...)
	if !l.own[b] {
		return
	}
	l.merged[b] = true
	for entry, home := range l.learned { // what was merged stays in main, whatever is committed on the branch later
		if home == b {
			l.learned[entry] = "main"
		}
	}
}

// check holds every memory against where it may be.
func (l *branchLife) check() {
	l.t.Helper()
	l.r.look(l.t, l.repo.dir)
	all := into[api.MemoryList](l.t, l.r.ask(l.t, "GET", "/memories?state=all&limit=1000", "")).Memories
	if len(all) != len(l.learned) {
		l.t.Fatalf("%d memories of %d are there", len(all), len(l.learned))
	}
	visible := map[string][]string{}
	for _, b := range append([]string{"main"}, l.there...) {
		l.switchTo(b)
		visible[b] = l.r.on(l.t, l.repo.dir)
	}
	for _, m := range all {
		home := l.learned[m.Entry]
		free := home == "main" || !l.own[home]
		if l.squashed[home] && !slices.Contains(l.there, home) {
			continue // a part of its work is in main, and nobody can say whether it was all that was wanted
		}
		if m.State != "active" && (free || slices.Contains(l.there, home)) {
			l.t.Errorf("%q of %s is %s", m.Title, home, m.State)
		}
		for b, titles := range visible {
			told := slices.Contains(titles, m.Title)
			switch {
			case told && b != home && !free:
				l.t.Errorf("%q of %s is told on %s", m.Title, home, b)
			case !told && (b == home || home == "main"):
				l.t.Errorf("%q of %s is not told on %s", m.Title, home, b)
			}
		}
	}
	if l.t.Failed() {
		l.t.Fatal(strings.Join(l.log, "\n"))
	}
}

func TestInAnyOrderOfMergesAndDeletionsNothingIsLostOrToldWhereItDoesNotBelong(t *testing.T) {
	for seed := range uint64(longtest.Rounds(1, 12)) { // each is some two hundred calls of git
		t.Log("seed", seed)
		r, repo := startBranches(t)
		l := &branchLife{t: t, r: r, repo: repo, rand: rand.New(rand.NewPCG(seed, 7)), at: "main", own: map[string]bool{},
			merged: map[string]bool{}, squashed: map[string]bool{}, learned: map[int64]string{}}
		for range longtest.Size(8, 24) {
			l.step()
		}
		l.check()
	}
}

// rewrite changes each line of a transcript, and leaves its time.
func rewrite(t *testing.T, file string, change func(map[string]any)) {
	t.Helper()
	data, err1 := os.ReadFile(file)
	info, err2 := os.Stat(file)
	if err := errors.Join(err1, err2); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	for text := range strings.Lines(string(data)) {
		var line map[string]any
		err := json.Unmarshal([]byte(text), &line)
		if err == nil {
			change(line)
			err = json.NewEncoder(&out).Encode(line)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(os.WriteFile(file, out.Bytes(), 0o600), os.Chtimes(file, info.ModTime(),
		info.ModTime())); err != nil {
		t.Fatal(err)
	}
}

// What an agent says does not replace what the user wrote, on a branch neither.
func TestAnAgentDoesNotReplaceOnABranchWhatTheUserWrote(t *testing.T) {
	r, repo := startBranches(t)
	const redis = "Use Redis for the sessions"
	r.remember(t, api.MemoryAdd{Title: redis, Directory: repo.dir})
	repo.work(t, "work")
	got := r.post(t, "/memories", api.MemoryAdd{Title: "Use Postgres for the sessions", Origin: "agent", Agent: "mcp",
		Session: "aaaa1111", Directory: repo.dir})
	if got.status != http.StatusConflict {
		t.Errorf("%d %s", got.status, got.body)
	}
	if list := r.on(t, repo.dir); len(list) != 1 || list[0] != redis {
		t.Errorf("listed: %q", list)
	}
}
