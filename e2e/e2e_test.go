package e2e

import (
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"keepmum/api"
	"keepmum/freeport"
)

// agents are those that run here. Each begins with settings of the user's own.
func agents() []agent {
	same := func(b block) (string, any) {
		var input any
		_ = json.Unmarshal(b.Input, &input)
		return b.Name, input
	}
	return []agent{
		{
			name: "claude", settings: ".claude/settings.json", tool: same, failures: true,
			original: "{\n  \"env\": {\"MY_FLAG\": \"1\"},\n  \"hooks\": {\n" +
				"    \"Stop\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"true\"}]}]\n  }\n}\n",
		},
		{name: "opencode", settings: ".config/opencode/plugins/mum.js", tool: same, failures: true},
		{name: "codex", settings: ".codex/hooks.json", tool: codexTool, original: "{\"hooks\":{}}"},
	}
}

// codexTool: Codex reports its own tools under the names of Claude Code's.
func codexTool(b block) (string, any) {
	if b.Type == "custom_tool" {
		var patch string
		_ = json.Unmarshal(b.Input, &patch)
		return b.Name, map[string]any{"command": patch}
	}
	var in struct{ Cmd string }
	_ = json.Unmarshal(b.Input, &in)
	return "Bash", map[string]any{"command": in.Cmd}
}

func forEachAgent(t *testing.T, f func(t *testing.T, r *rig)) {
	for _, a := range agents() {
		t.Run(a.name, func(t *testing.T) { f(t, newRig(t, a)) })
	}
}

func TestASessionIsCapturedOnceAndWholeAndTheNextOneKnowsOfIt(t *testing.T) {
	forEachAgent(t, func(t *testing.T, r *rig) {
		first := r.session("1")
		work := r.script("1")
		r.checkPrompts(work)
		r.checkCalls(work)
		r.checkOneSession()
		r.checkWords("3 checks passed", "migration 0042 is not applied on staging")
		r.checkNoSecret()
		if text := first.firstRequest(t).text(); strings.Contains(text, "<mum-context>") {
			t.Error("there was nothing to tell in the first session")
		}

		second := r.session("2")
		_, told, _ := strings.Cut(second.firstRequest(t).text(), "<mum-context>")
		told, _, closed := strings.Cut(told, "</mum-context>")
		if !closed || !strings.Contains(told, "integer cents") {
			t.Errorf("the second session's first request does not tell of the first: %q", told)
		}
		r.checkNoneBlocked(first, second)
	})
}

// checkPrompts: the prompt and the answer, each once, in the project.
func (r *rig) checkPrompts(s script) {
	r.t.Helper()
	for _, text := range []string{s.Prompt, s.answer()} {
		n := 0
		for _, p := range r.found("prompt") {
			if strings.HasPrefix(p.Snippet, text[:60]) && p.Project == "shop" && p.Agent == r.agent.name {
				n++
			}
		}
		if n != 1 {
			r.t.Errorf("%d times in the store: %.40q…", n, text)
		}
	}
}

// checkCalls: every scripted tool call once, with its input, and no other.
func (r *rig) checkCalls(s script) {
	r.t.Helper()
	left := r.observations()
	for _, b := range s.blocks("tool_use", "custom_tool") {
		name, input := r.agent.tool(b)
		i := slices.IndexFunc(left, func(o api.Observation) bool { return isCall(o, name, input) })
		if i < 0 {
			r.t.Errorf("not in the store: %s %s", name, b.Input)
			continue
		}
		r.checkOutcome(left[i], string(b.Input))
		left = slices.Delete(left, i, i+1)
	}
	for _, o := range left {
		r.t.Errorf("too much in the store: %s %s", o.Tool, o.Title)
	}
}

// isCall reports whether an observation is of a scripted call. Agents add
// defaults to an input. Of a denied path only the metadata was kept.
func isCall(o api.Observation, name string, input any) bool {
	if o.Tool != name || o.Project != "shop" {
		return false
	}
	if strings.Contains(fmt.Sprint(input), ".env") {
		return o.Excluded
	}
	var got map[string]any
	if o.Excluded || json.Unmarshal(o.Input, &got) != nil {
		return false
	}
	for k, want := range input.(map[string]any) {
		if !reflect.DeepEqual(got[k], want) {
			return false
		}
	}
	return true
}

// checkOutcome: something came out, and what failed is marked.
func (r *rig) checkOutcome(o api.Observation, input string) {
	r.t.Helper()
	fails := strings.Contains(input, "deploy.sh") || strings.Contains(input, "no such text")
	if r.agent.failures && o.Failed != fails {
		r.t.Errorf("%s: failed is %v", o.Title, o.Failed)
	}
	if len(o.Output) < 3 || strings.Contains(string(o.Output), "[object") {
		r.t.Errorf("%s: output is %s", o.Title, o.Output)
	}
}

func (r *rig) checkOneSession() {
	r.t.Helper()
	sessions := map[string]bool{}
	for _, o := range r.observations() {
		sessions[o.Session] = true
	}
	for _, p := range r.found("prompt") {
		sessions[p.Session] = true
	}
	if len(sessions) != 1 || sessions[""] {
		r.t.Errorf("the events are in %d sessions: %v", len(sessions), sessions)
	}
}

// checkWords: what tools printed is in the store.
func (r *rig) checkWords(words ...string) {
	r.t.Helper()
	var all strings.Builder
	for _, o := range r.observations() {
		all.Write(o.Output)
	}
	for _, w := range words {
		if !strings.Contains(all.String(), w) {
			r.t.Errorf("no output holds %q", w)
		}
	}
}

// checkNoSecret: no byte of a planted secret on disk, with the daemon running
// and after it has stopped. The secrets come from the project itself.
func (r *rig) checkNoSecret() {
	r.t.Helper()
	secrets := []string{}
	for line := range strings.Lines(r.read(filepath.Join(r.project, ".env"))) {
		_, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		secrets = append(secrets, value)
	}
	out, err := exec.Command("sh", filepath.Join(r.project, "scripts", "ci-token.sh")).Output()
	if err != nil {
		r.t.Fatal(err)
	}
	secrets = append(secrets, strings.TrimPrefix(strings.TrimSpace(string(out)), "using token "))
	if len(secrets) != 4 || r.onDisk([]string{"integer cents"}) == nil {
		r.t.Fatalf("the check itself does not work: %d secrets", len(secrets))
	}
	for range 2 {
		for _, where := range r.onDisk(secrets) {
			r.t.Errorf("on disk: %s", where)
		}
		r.mum("down")
	}
}

// checkNoneBlocked: nobody tried to reach another host, but for OpenCode, which
// asks the npm registry for its own plugin package.
func (r *rig) checkNoneBlocked(sessions ...session) {
	r.t.Helper()
	for _, s := range sessions {
		for _, q := range s.requests {
			if q.Kind == "blocked" && !strings.HasPrefix(q.Target, "registry.") {
				r.t.Errorf("a call to %s", q.Target)
			}
		}
	}
}

func TestDisconnectLeavesTheSettingsAsTheyWere(t *testing.T) {
	forEachAgent(t, func(t *testing.T, r *rig) {
		if r.read(r.settings()) == r.agent.original {
			t.Fatal("connect did nothing")
		}
		r.session("2")
		r.mum("disconnect", r.agent.name)
		data, err := os.ReadFile(r.settings())
		if got := string(data); got != r.agent.original || (err != nil) != (r.agent.original == "") {
			t.Errorf("got %q (%v)\nwant %q", got, err, r.agent.original)
		}
		before := r.status().Capture
		r.session("2")
		if after := r.status().Capture; reflect.DeepEqual(before, api.Capture{}) ||
			!reflect.DeepEqual(before.Events, after.Events) {
			t.Errorf("events still arrive: %v, %v", before.Events, after.Events)
		}
	})
}

func TestADaemonKilledInMidSessionIsNotNoticedAndNothingIsLost(t *testing.T) {
	forEachAgent(t, func(t *testing.T, r *rig) {
		r.mum("up")
		kill := fmt.Sprintf("kill -9 %d && echo killed", r.status().PID)
		file := filepath.Join(r.dir, "killed.json")
		r.write(file, killScript(r.agent.name, "echo before", kill, "echo after one", "echo after two"))
		s := r.session(file)
		for _, bad := range []string{"hook error", "hook_non_blocking_error", "ECONNREFUSED"} {
			if strings.Contains(s.out+s.errs, bad) {
				t.Errorf("the agent noticed: %s", bad)
			}
		}
		work := r.script(file)
		r.checkPrompts(work)
		r.checkCalls(work)
		r.checkOneSession()
	})
}

// The other transports of Claude Code, each with a fresh user.
func TestEachTransportCapturesASessionOnceAndWhole(t *testing.T) {
	for _, via := range []string{"shell", "exec", "http"} {
		t.Run(via, func(t *testing.T) {
			r := newRig(t, agents()[0])
			r.use(via)
			r.session("1")
			work := r.script("1")
			r.checkPrompts(work)
			r.checkCalls(work)
			r.checkOneSession()
			r.mum("disconnect", "claude")
			if got := r.read(r.settings()); got != r.agent.original {
				t.Errorf("after disconnect: %s", got)
			}
		})
	}
}

// use connects Claude Code in another way. For http the port must be known
// before, and the agent needs the token.
func (r *rig) use(via string) {
	r.t.Helper()
	if via == "http" {
		r.write(filepath.Join(r.home, ".mum", "config.toml"), fmt.Sprintf("[daemon]\nport = %d\n", freeport.For(r.t)))
	}
	r.mum("down")
	r.mum("connect", "claude", "--transport", via)
	r.mum("up")
	if want := map[string]string{"shell": "mum-hook.sh", "exec": `"hook"`,
		"http": `"http"`}[via]; !strings.Contains(r.read(r.settings()), want) {
		r.t.Fatalf("the settings have no %s", want)
	}
	r.env = append(r.env, "MUM_TOKEN="+strings.TrimSpace(r.read(filepath.Join(r.home, ".mum", "token"))))
}

// With http Claude Code posts on its own: what is posted to a daemon that has
// gone is lost, and Claude Code says so. The session itself must not suffer,
// and its transcript, which sync reads, has it all.
func TestADaemonKilledUnderTheHTTPTransportIsNoticedButHurtsNothing(t *testing.T) {
	r := newRig(t, agents()[0])
	r.use("http")
	kill := fmt.Sprintf("kill -9 %d && echo killed", r.status().PID)
	file := filepath.Join(r.dir, "killed.json")
	r.write(file, killScript("claude", "echo before", kill, "echo after one", "echo after two"))
	s := r.session(file) // it fails where the agent fails
	if !strings.Contains(s.out, "All four commands ran") {
		t.Error("the agent did not come to its end")
	}
	var before int
	for _, o := range r.observations() {
		if strings.Contains(string(o.Input), "echo before") {
			before++
		}
	}
	if before != 1 {
		t.Errorf("what was acknowledged is there %d times", before)
	}
}

// killScript is a conversation in which the model runs the commands one by one.
func killScript(agent string, commands ...string) string {
	tool := map[string][2]string{"claude": {"Bash", "command"}, "opencode": {"bash", "command"},
		"codex": {"exec_command", "cmd"}}[agent]
	var turns [][]map[string]any
	for _, c := range commands {
		input := map[string]any{tool[1]: c}
		if agent == "opencode" {
			input["description"] = "Run it"
		}
		turns = append(turns, []map[string]any{{"type": "tool_use", "name": tool[0], "input": input}})
	}
	answer := "All four commands ran; the third and the fourth after the daemon had gone."
	turns = append(turns, []map[string]any{{"type": "text", "text": answer}})
	s, _ := json.Marshal(map[string]any{
		"prompt": "Please run the four commands of the script, one after the other, and tell me.",
		"aux":    "Four commands", "turns": turns,
	})
	return string(s)
}

func TestACompactionKeepsTheThread(t *testing.T) {
	r := newRig(t, agents()[0])
	r.session("1")
	s := r.session("compact", "--continue")
	if n := r.status().Capture.Events["compaction"]; n != 1 {
		t.Errorf("%d compactions were captured", n)
	}
	if text := s.out + s.errs; strings.Contains(text, "hook error") {
		t.Errorf("the agent complains: %s", text)
	}
}

func TestAnAgentSearchesTheMemoryByItself(t *testing.T) {
	call := map[string]map[string]any{
		"claude":   {"name": "mcp__mum__memory_search"},
		"opencode": {"name": "mum_memory_search"},
		"codex":    {"name": "memory_search", "namespace": "mcp__mum"},
	}
	extra := map[string][]string{"claude": {"--", "--allowedTools", "mcp__mum__memory_search"}}
	forEachAgent(t, func(t *testing.T, r *rig) {
		r.session("1")
		before := len(r.observations())
		file := filepath.Join(r.dir, "search.json")
		search := call[r.agent.name]
		search["type"], search["input"] = "tool_use", map[string]any{"query": "deploy migration"}
		turns := [][]map[string]any{
			{search},
			{{"type": "text", "text": "The memory knows that a migration was missing on staging."}},
		}
		text, _ := json.Marshal(map[string]any{"prompt": "Look up what is known of zebras and giraffes.", "aux": "Zebras",
			"turns": turns})
		r.write(file, string(text))
		s := r.session(file, extra[r.agent.name]...)
		last := s.requests[len(s.requests)-1].text()
		if !strings.Contains(last, " observation of a tool: ") || !strings.Contains(last, "migration 0042 is not applied") {
			t.Errorf("the model was not told what was found: %.3000s", last[max(0, len(last)-3000):])
		}
		if after := len(r.observations()); after != before {
			t.Errorf("%d observations came from our own tool", after-before)
		}
	})
}

// TestAnAgentRemembersByItself: the model is told at its start that it may, finds the
// skill that says when, and calls the tool. What it says is its word.
func TestAnAgentRemembersByItself(t *testing.T) {
	call := map[string]map[string]any{
		"claude":   {"name": "mcp__mum__memory_remember"},
		"opencode": {"name": "mum_memory_remember"},
		"codex":    {"name": "memory_remember", "namespace": "mcp__mum"},
	}
	extra := map[string][]string{"claude": {"--", "--allowedTools", "mcp__mum__memory_remember"}}
	const key = "ghp_a1B2c3D4e5a1B2c3D4e5a1B2c3D4e5a1B2c3"
	forEachAgent(t, func(t *testing.T, r *rig) {
		r.mum("up") // what a session that starts the daemon would be told comes too late
		file := filepath.Join(r.dir, "remember.json")
		said := call[r.agent.name]
		said["type"], said["input"] = "tool_use",
			map[string]any{"title": "Prices are integer cents everywhere", "type": "decision",
				"body": "Floats lost money to rounding on the invoices of March; the token of the bank was " + key + " then."}
		turns := [][]map[string]any{{said}, {{"type": "text", "text": "It is kept for the next session."}}}
		text, err := json.Marshal(map[string]any{"prompt": "From now on prices are integer cents: floats lost us money.",
			"aux": "Cents", "turns": turns})
		if err != nil {
			t.Fatal(err)
		}
		r.write(file, string(text))
		s := r.session(file, extra[r.agent.name]...)
		first := s.firstRequest(t).text()
		for _, want := range []string{"call memory_remember (mum)", "mum-remember"} {
			if !strings.Contains(first, want) {
				t.Errorf("the model is not told of %q", want)
			}
		}
		var list api.MemoryList
		r.get("/memories", url.Values{"project": {"*"}}, &list)
		kept := false
		for _, m := range list.Memories {
			kept = kept || m.Origin == "agent/mcp" && m.Confidence == 0.6 && m.Title == "Prices are integer cents everywhere"
		}
		if !kept {
			t.Errorf("it is not kept as the agent's word: %+v", list.Memories)
		}
		if found := r.onDisk([]string{key}); len(found) != 0 {
			t.Errorf("the key is in %v", found)
		}
	})
}
