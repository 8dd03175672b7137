package daemon

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"keepmum/gittest"
)

// The benchmark of what agents are told: invented history of several projects,
// and prompts that need a rule which was settled in it. See testdata/told/README.md.

// toldTurn is one message or one use of a tool.
type toldTurn struct{ User, Agent, Tool, Input, Output string }

type toldChat struct {
	ID      string
	Project string
	DaysAgo int `json:"days_ago"`
	Agent   string
	Turns   []toldTurn
}

type toldCommit struct {
	Project string
	DaysAgo int `json:"days_ago"`
	Message string
	Paths   []string
}

// toldTask is a prompt with what it should bring up (Parts, Stale), or with what
// it should not (MustNot, OK).
type toldTask struct {
	ID, Project, Kind string
	Chats             []toldChat
	Commits           []toldCommit
	Prompt            string
	Parts             [][]string
	Stale             []string
	MustNot           []string `json:"must_not"`
	OK                []toldWords
}

// toldWords are words of which any counts: a list, or one alone.
type toldWords []string

func (w *toldWords) UnmarshalJSON(data []byte) error {
	var one string
	if json.Unmarshal(data, &one) == nil {
		*w = toldWords{one}
		return nil
	}
	return json.Unmarshal(data, (*[]string)(w))
}

// toldSet is what one author wrote.
type toldSet struct {
	tasks, harms []toldTask
	chats        []toldChat // of all, the oldest first
	commits      []toldCommit
	projects     []string
}

func readTold(t *testing.T, dir string) toldSet {
	t.Helper()
	s := toldSet{tasks: readLines[toldTask](t, dir, "tasks.jsonl"), harms: readLines[toldTask](t, dir, "harms.jsonl"),
		chats: readLines[toldChat](t, dir, "decoys.jsonl"), commits: readLines[toldCommit](t, dir, "commits.jsonl")}
	for _, task := range slices.Concat(s.tasks, s.harms) {
		for _, c := range task.Chats {
			c.Project = task.Project
			s.chats = append(s.chats, c)
		}
		for _, c := range task.Commits {
			c.Project = task.Project
			s.commits = append(s.commits, c)
		}
		if !slices.Contains(s.projects, task.Project) {
			s.projects = append(s.projects, task.Project)
		}
	}
	slices.SortStableFunc(s.chats, func(a, b toldChat) int { return cmp.Compare(b.DaysAgo, a.DaysAgo) })
	slices.SortStableFunc(s.commits, func(a, b toldCommit) int { return cmp.Compare(b.DaysAgo, a.DaysAgo) })
	return s
}

// young gives each task and harm a project of its own, with its chats and n others of the same project. Commits are
// left out: they are judged by themselves.
func (s toldSet) young(n int) (out toldSet) {
	own := map[string]bool{}
	for _, task := range slices.Concat(s.tasks, s.harms) {
		for _, c := range task.Chats {
			own[c.ID] = true
		}
	}
	for i, task := range slices.Concat(s.tasks, s.harms) {
		if len(task.Commits) > 0 {
			continue
		}
		others := slices.DeleteFunc(slices.Clone(s.chats),
			func(c toldChat) bool { return own[c.ID] || c.Project != task.Project })
		chats := slices.Clone(task.Chats)
		for k := range min(n, len(others)) {
			chats = append(chats, others[(7*i+5*k)%len(others)])
		}
		task.Project = fmt.Sprint("young", i)
		for k, c := range chats {
			c.Project, c.ID = task.Project, fmt.Sprintf("%s-%d", task.Project, k)
			out.chats = append(out.chats, c)
		}
		out.projects = append(out.projects, task.Project)
		if i < len(s.tasks) {
			out.tasks = append(out.tasks, task)
		} else {
			out.harms = append(out.harms, task)
		}
	}
	slices.SortStableFunc(out.chats, func(a, b toldChat) int { return cmp.Compare(b.DaysAgo, a.DaysAgo) })
	return out
}

// short cuts each chat of a young project to one turn: of a rule's chats to the one that says most of the rule, with
// the question before it if the user said little.
func (s toldSet) short() toldSet {
	rules := map[string]toldTask{}
	for _, task := range slices.Concat(s.tasks, s.harms) {
		rules[task.Project] = task
	}
	s.chats = slices.Clone(s.chats)
	for i, c := range s.chats {
		s.chats[i].Turns = shortened(c.Turns, rules[c.Project].words(), i)
	}
	return s
}

// words returns everything by which a rule is recognised.
func (t toldTask) words() (out []string) {
	out = slices.Concat(append(slices.Clone(t.Parts), t.Stale, t.MustNot)...)
	for _, w := range t.OK {
		out = append(out, w...)
	}
	return out
}

// fewWords is the number of words of a turn that says little without the question before it.
const fewWords = 6

// shortened returns the turn that has most of some words, or the n-th one (from the start again) if none has any.
func shortened(messages []toldTurn, words []string, n int) []toldTurn {
	turns := turnsOf(messages)
	best, most := n%max(len(turns), 1), 0
	for i, turn := range turns {
		held := 0
		for _, w := range words {
			held += is(holdsAny(textOf(turn), []string{w}))
		}
		if held > most {
			best, most = i, held
		}
	}
	switch {
	case len(turns) == 0:
		return messages
	case best > 0 && len(strings.Fields(turns[best][0].User)) <= fewWords:
		return slices.Concat(turns[best-1], turns[best])
	}
	return turns[best]
}

// turnsOf groups messages into turns, each of which begins with what the user said.
func turnsOf(messages []toldTurn) (out [][]toldTurn) {
	for i, m := range messages {
		if m.User != "" {
			out = append(out, messages[i:i+1])
		} else if n := len(out); n > 0 {
			out[n-1] = messages[i-len(out[n-1]) : i+1]
		}
	}
	return out
}

func textOf(turn []toldTurn) (text string) {
	for _, m := range turn {
		text += m.User + "\n" + m.Agent + "\n"
	}
	return text
}

// readLines reads a file of JSON lines; one that is not there is empty.
func readLines[T any](t *testing.T, dir, name string) []T {
	t.Helper()
	f, err := os.Open(filepath.Join(dir, name))
	if os.IsNotExist(err) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	var all []T
	lines := bufio.NewScanner(f)
	for lines.Buffer(nil, 1<<20); lines.Scan(); {
		if strings.TrimSpace(lines.Text()) == "" {
			continue
		}
		var v T
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		all = append(all, v)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

// repositories makes a real repository for each project, with its history.
func (s toldSet) repositories(t *testing.T, now time.Time) map[string]string {
	t.Helper()
	dirs := map[string]string{}
	root := t.TempDir()
	for _, p := range s.projects {
		dirs[p] = filepath.Join(root, p)
		if err := os.MkdirAll(dirs[p], 0o700); err != nil {
			t.Fatal(err)
		}
		git(t, dirs[p], now, "init", "-q", "-b", "main")
	}
	for i, c := range s.commits {
		dir, at := dirs[c.Project], now.AddDate(0, 0, -c.DaysAgo).Add(time.Duration(i)*time.Second)
		for _, path := range c.Paths {
			touch(t, filepath.Join(dir, filepath.FromSlash(path)), c.Message)
		}
		git(t, dir, at, "add", "-A")
		git(t, dir, at, "commit", "-q", "--allow-empty", "-m", c.Message)
	}
	return dirs
}

// touch changes a file; where a folder has its name, one in that.
func touch(t *testing.T, name, text string) {
	t.Helper()
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		name = filepath.Join(name, "main")
	}
	if info, err := os.Stat(filepath.Dir(name)); err == nil && !info.IsDir() {
		name = filepath.Dir(name)
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func git(t *testing.T, dir string, at time.Time, args ...string) {
	t.Helper()
	cmd := gittest.Command(dir, args...)
	date := at.Format(time.RFC3339)
	cmd.Env = append(cmd.Env, "GIT_AUTHOR_DATE="+date, "GIT_COMMITTER_DATE="+date)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %s: %v\n%s", args[0], err, out)
	}
}
