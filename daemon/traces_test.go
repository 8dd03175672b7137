package daemon

import (
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"keepmum/api"
	"keepmum/home"
	"keepmum/trace"
	"keepmum/transcript"
)

// lines are those of a kind in the latest run that does something.
func (r *rig) lines(t *testing.T, does, kind string) []api.RunLine {
	t.Helper()
	list := into[api.RunList](t, r.ask(t, "GET", "/runs?kind="+does, ""))
	if len(list.Runs) == 0 {
		t.Fatalf("no run of %s left a trace", does)
	}
	run := into[api.RunTrace](t, r.ask(t, "GET", "/runs/"+list.Runs[0].RunID, ""))
	if first, last := run.Lines[0], run.Lines[len(run.Lines)-1]; first.Kind != trace.Begun || last.Kind != trace.Ended {
		t.Errorf("the trace begins with %+v and ends with %+v", first, last)
	}
	return slices.DeleteFunc(run.Lines, func(l api.RunLine) bool { return l.Kind != kind })
}

func (r *rig) why(t *testing.T, session string) api.RunWhy {
	t.Helper()
	return into[api.RunWhy](t, r.ask(t, "GET", "/runs/why?session="+url.QueryEscape(session), ""))
}

const traced = "claude/5f0c2f6e-1d1b-4b7e-9a53-0c8d0a3f1e11"

func TestARunOfSyncSaysWhatBecameOfEachCandidate(t *testing.T) {
	r, repo, agent := startRig(t, t.TempDir()), repository(t), t.TempDir()
	r.d.o.Transcripts = transcript.Roots{Claude: agent}
	if got := r.ask(t, "GET", "/runs/why?session=5f0c2f6e", ""); got.code() != api.NotFound ||
		!strings.Contains(got.body, "mum session list") {
		t.Errorf("unknown: %d %s", got.status, got.body)
	}
	transcribe(t, agent, repo,
		"remember: exports of the shop always use the potoroosum checksum, because the warehouse refuses files without it",
		"I will add the checksum to each export.", "and the key is "+leakedKey, "I see.")
	if why := r.why(t, traced); !strings.Contains(why.Why, "no run has read it") || why.Next == "" {
		t.Errorf("before any run: %+v", why)
	}
	r.sync(t, api.SyncRequest{})
	memory := into[api.MemoryList](t, r.ask(t, "GET", "/memories", "")).Memories[0]
	if why := r.why(t, traced); why.Next != fmt.Sprint("mum why ", memory.Entry) {
		t.Errorf("after the first run: %+v", why)
	}
	r.sync(t, api.SyncRequest{Force: true})
	got := r.lines(t, "sync", trace.Candidate)
	if len(got) != 1 || got[0].Action != "noop" || got[0].Reason != "same" || got[0].Session != traced ||
		!strings.Contains(got[0].Title, "potoroosum") || got[0].Memory == "" {
		t.Errorf("the second run says %+v", got)
	}
	sessions := r.lines(t, "sync", trace.Session)
	if len(sessions) != 1 || sessions[0].By != "heuristic" || sessions[0].Action != "looked_at" ||
		sessions[0].Candidates != 1 {
		t.Errorf("of the session it says %+v", sessions)
	}
	if r.holds(t, leakedKey) {
		t.Error("the key is in the data directory")
	}
	if why := r.why(t, "5f0c2f6e"); len(why.Lines) != 2 || !strings.Contains(why.Why, "already known") ||
		why.Next != fmt.Sprint("mum why ", memory.Entry) {
		t.Errorf("why: %+v", why)
	}
}

const leakedKey = "ghp_Qx7Lm2Vb9Rt4Wn8Kc3Hs6Jd1Fg5Zy0AaPpEe"

func TestASessionWithoutASignalSaysSo(t *testing.T) {
	r, repo, agent := startRig(t, t.TempDir()), repository(t), t.TempDir()
	r.d.o.Transcripts = transcript.Roots{Claude: agent}
	transcribe(t, agent, repo, "where is the discount applied?", "In price.js.")
	r.sync(t, api.SyncRequest{})
	why := r.why(t, traced)
	if len(why.Lines) != 1 || why.Lines[0].Reason != "no_signal" ||
		!strings.Contains(why.Why, "it contains nothing to remember") {
		t.Errorf("got %+v", why)
	}
	got := r.ask(t, "GET", "/runs/why?session=5f0c", "")
	if got.status != 400 || !strings.Contains(got.body, "six characters") {
		t.Errorf("four characters: %d %s", got.status, got.body)
	}
}

func TestForgettingASessionReachesTheTraces(t *testing.T) {
	r, repo, agent := startRig(t, t.TempDir()), repository(t), t.TempDir()
	r.d.o.Transcripts = transcript.Roots{Claude: agent}
	transcribe(t, agent, repo,
		"remember: exports of the shop always use the potoroosum checksum, because the warehouse refuses files without it",
		"I will add the checksum to each export.")
	r.sync(t, api.SyncRequest{})
	if !traceHolds(t, r.home, "potoroosum") || !traceHolds(t, r.home, traced) {
		t.Fatal("the trace does not hold what it should: the test looks at the wrong thing")
	}
	got := into[api.Forgotten](t, r.post(t, "/forget", api.Forget{Session: strings.TrimPrefix(traced, "claude/")}))
	if len(got.Found) != 0 || r.holds(t, "potoroosum") || traceHolds(t, r.home, traced) {
		t.Errorf("it is still there: %+v", got.Found)
	}
}

func TestATextThatIsForgottenReachesTheTraces(t *testing.T) {
	dir := t.TempDir()
	r := startRig(t, dir)
	run := r.d.newTrace("sync")
	run.Add(trace.Entry{Kind: trace.Candidate, Title: run.Word(`the quokka says "hello" to <all>`)})
	run.Add(trace.Entry{Kind: trace.Candidate, Title: run.Word("something else altogether")})
	r.d.ended(run, "done", "")
	into[api.Forgotten](t, r.post(t, "/forget", api.Forget{Text: `quokka says "hello" to <all>`}))
	if r.holds(t, "quokka") || !traceHolds(t, home.Dir(dir), "something else altogether") {
		t.Error("the line with it is there, or the other one is not")
	}
}

func TestForgettingAMemoryLeavesTheRestOfATrace(t *testing.T) {
	dir := t.TempDir()
	r, repo := startRig(t, dir), repository(t)
	m := into[api.MemoryWritten](t, r.post(t, "/memories", api.MemoryAdd{Title: "Exports use the quokka checksum",
		Body: "The warehouse refuses every file that comes without it.", Directory: repo})).Memory
	run := r.d.newTrace("sync")
	run.Add(trace.Entry{Kind: trace.Candidate, Title: run.Word("Exports use the quokka checksum")})
	run.Add(trace.Entry{Kind: trace.Candidate, Title: run.Word("something else altogether")})
	r.d.ended(run, "done", "")
	into[api.Forgotten](t, r.post(t, "/forget", api.Forget{IDs: []int64{m.Entry}}))
	if traceHolds(t, home.Dir(dir), "quokka") || !traceHolds(t, home.Dir(dir), "something else altogether") {
		t.Error("the line with it is there, or the other one is not")
	}
}

func traceHolds(t *testing.T, dir home.Dir, text string) bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(string(dir), "runs", "*", trace.File))
	if err != nil {
		t.Fatal(err)
	}
	return slices.ContainsFunc(files, func(f string) bool {
		data, err := os.ReadFile(f)
		return err == nil && strings.Contains(string(data), text)
	})
}

func TestAnAnswerLeavesWhatItRestsOnAndTheModelsCall(t *testing.T) {
	answer := `{"claims":[{"text":"The quokka importer retries four times","from":[1]}]}`
	_, with := modelThatSays(t, answer)
	r := startRig(t, t.TempDir(), with)
	m := r.remember(t, api.MemoryAdd{Global: true, Title: quokkaTitle, Body: quokkaBody})
	const question = "How often does the quokka importer retry, says zebrafinch?"
	if got := into[api.Answer](t, r.post(t, "/ask", api.Question{Question: question})); got.Answer == "" {
		t.Fatalf("got %+v", got)
	}
	passages, calls := r.lines(t, "ask", trace.Passage), r.lines(t, "ask", trace.Call)
	if len(passages) != 1 || passages[0].Entry != m.Memory.Entry || passages[0].Action != "cited" {
		t.Errorf("passages %+v", passages)
	}
	if len(calls) != 1 || calls[0].Role != "ask" || calls[0].Model != "small" || calls[0].Outcome != "answered" ||
		calls[0].In == 0 || calls[0].Out == 0 {
		t.Errorf("calls %+v", calls)
	}
	if traceHolds(t, r.home, "zebrafinch") || traceHolds(t, r.home, "four times") {
		t.Error("the trace holds the question or the answer")
	}
}

func TestARunOfMaintainSaysWhatItDidToEachMemory(t *testing.T) {
	r := startRig(t, t.TempDir())
	r.remember(t, api.MemoryAdd{Global: true, Title: quokkaTitle, Body: quokkaBody})
	r.remember(t, api.MemoryAdd{Global: true, Title: quokkaTitle, Body: quokkaBody + " It waits in between.", New: true})
	if got := r.ask(t, "POST", "/maintain", `{}`); got.status != 200 {
		t.Fatal(got.body)
	}
	steps := r.lines(t, "maintain", trace.Step)
	if len(steps) != 1 || steps[0].Action != "merge" || steps[0].Reason == "" ||
		steps[0].Memory == "" || steps[0].Into == "" {
		t.Errorf("got %+v", steps)
	}
}

func TestOldTracesGoAndTheRestOfTheirRunsStays(t *testing.T) {
	r := startRig(t, t.TempDir())
	var dirs []string
	for i := range 3 {
		id := fmt.Sprintf("ask-2026010%d-000000-abcdef", i+1)
		run := r.d.traceOf(id, "ask")
		run.Add(trace.Entry{Kind: trace.Passage, Entry: int64(i)})
		r.d.ended(run, "passages", "")
		dirs = append(dirs, filepath.Join(trace.Dir(string(r.home)), id))
	}
	old := time.Now().Add(-40 * 24 * time.Hour)
	if err := os.Chtimes(filepath.Join(dirs[0], trace.File), old, old); err != nil {
		t.Fatal(err)
	}
	writeFile(t, "{}", dirs[1], "extract.json")
	if n, err := trace.Prune(string(r.home), trace.Retention{Days: 30, Most: 1}, time.Now()); n != 2 || err != nil {
		t.Errorf("%d went, %v", n, err)
	}
	for i, want := range []bool{false, true, true} {
		if isDir(dirs[i]) != want {
			t.Errorf("%s is there: %v", dirs[i], !want)
		}
	}
}

func TestATraceHoldsNothingButFieldsThatPassedTheGate(t *testing.T) {
	r := startRig(t, t.TempDir())
	run := r.d.newTrace("compress")
	run.Add(trace.Entry{Kind: trace.Job, Reason: run.Word("it said " + leakedKey)})
	r.d.ended(run, "failed", "because of "+leakedKey)
	if r.holds(t, leakedKey) {
		t.Error("the key is in a trace")
	}
	data, err := json.Marshal(r.lines(t, "compress", trace.Job))
	if err != nil || !strings.Contains(string(data), "it said ") {
		t.Errorf("got %s, %v", data, err)
	}
}
