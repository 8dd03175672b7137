package e2e

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"keepmum/api"
)

// model starts the scripted model and returns its address.
func (r *rig) model(file string) string {
	r.t.Helper()
	cmd := exec.Command("node", filepath.Join(r.harness, "mock.mjs"), "--script", file, "--log",
		filepath.Join(r.dir, "asked.jsonl"))
	out, err := cmd.StdoutPipe()
	if err != nil {
		r.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	port, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		r.t.Fatal(err)
	}
	return "http://127.0.0.1:" + strings.TrimSpace(port)
}

// askedEnv points an agent's command line at the scripted model, as a user points it at a
// provider of theirs.
func (r *rig) askedEnv(url string) []string {
	env := []string{"HOME=" + r.home,
		"PATH=" + filepath.Join(r.agents, "bin") + ":" + r.bin + ":/usr/local/bin:/usr/bin:/bin", "TERM=dumb", "LANG=C.UTF-8",
		"HTTP_PROXY=" + url, "HTTPS_PROXY=" + url, "NO_PROXY=127.0.0.1,localhost,::1"}
	switch r.agent.name {
	case "claude":
		return append(env, "ANTHROPIC_BASE_URL="+url, "ANTHROPIC_API_KEY=mock-key",
			"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "DISABLE_AUTOUPDATER=1")
	case "codex":
		file := filepath.Join(r.home, ".codex", "config.toml")
		old, _ := os.ReadFile(file) // what connect wrote stays below
		r.write(
			file,
			fmt.Sprintf(
				"model_provider = \"mock\"\nmodel = \"gpt-5.5\"\n"+
					"check_for_update_on_startup = false\n\n%s\n[model_providers.mock]\nname = \"mock\"\n"+
					"base_url = \"%s/v1\"\nwire_api = \"responses\"\nenv_key = \"MOCK_KEY\"\n\n[features]\nplugins = false\n"+
					"apps = false\n", old, url))
		return append(env, "MOCK_KEY=mock-key", "RUST_LOG=error")
	}
	config := fmt.Sprintf(
		`{"autoupdate":false,"share":"disabled","model":"mock/mock-1","small_model":"mock/mock-1","provider":{"mock":{"npm":"@ai-sdk/openai-compatible","name":"mock","options":{"baseURL":"%s/v1","apiKey":"mock-key"},"models":{"mock-1":{"name":"mock-1","tool_call":true,"limit":{"context":200000,"output":8000}}}}}}`, url)
	return append(env, "OPENCODE_CONFIG_CONTENT="+config, "OPENCODE_DISABLE_AUTOUPDATE=1",
		"OPENCODE_DISABLE_MODELS_FETCH=1", "OPENCODE_DISABLE_SHARE=1")
}

// TestAnAgentsOwnCommandLineWordsMemories: the real command line is given a session and
// answers through the scripted model; what it leaves behind is captured by nobody.
func TestAnAgentsOwnCommandLineWordsMemories(t *testing.T) {
	const answer = `{"memories":[{"primitive":"decision","kind":"none","title":"Receipts of the till are printed in black","body":"Receipts of the till are printed in black, because the till of the shop has no other ink.","confidence":0.9,"tags":["till"],"outcome":"worked","evidence":[1]}],"summary":{"title":"A look at the till","description":"The till of the shop was looked at.","user_intent":"To look at the till of the shop.","what_happened":"It was looked at and its receipts are black."}}`
	forEachAgent(t, func(t *testing.T, r *rig) {
		r.mum("down")
		id := "5e551011-0000-4000-8000-000000000001"
		path := filepath.Join(r.home, ".claude", "projects", "-home-dev-shop", id+".jsonl")
		r.write(path, `{"type":"user","sessionId":"`+id+
			`","cwd":"/home/dev/shop","uuid":"u","timestamp":"2026-03-01T10:00:00Z","message":{"role":"user","content":"print the receipts of the till in black, because the till of the shop has no other ink"}}`+"\n")
		old := time.Now().Add(-time.Hour)
		if err := os.Chtimes(path, old, old); err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(r.dir, "asked.json")
		text, err := json.Marshal(map[string]any{"prompt": "", "aux": answer,
			"turns": [][]map[string]any{{{"type": "text", "text": answer}}}})
		if err != nil {
			t.Fatal(err)
		}
		r.write(file, string(text))
		env := r.askedEnv(r.model(file))
		out := r.run(env, filepath.Join(r.bin, "mum"), "sync", "--window", "all", "--provider", "agent:"+r.agent.name)
		if !strings.Contains(out, "Receipts of the till are printed in black") {
			t.Errorf("sync: %s\n%s", out, r.read(filepath.Join(r.home, ".mum", "logs", "mum.jsonl")))
		}
		var egress api.EgressList
		r.get("/ledger/egress", nil, &egress)
		if len(egress.Egress) != 1 || egress.Egress[0].Model != "agent:"+r.agent.name {
			t.Errorf("the ledger: %+v", egress)
		}
		again := r.run(env, filepath.Join(r.bin, "mum"), "sync", "--window", "all")
		if s := r.status(); len(s.Capture.Events) != 0 || strings.Contains(again, "keepmum question") {
			t.Errorf("hooks captured %v; sync read %s", s.Capture.Events, again)
		}
	})
}
