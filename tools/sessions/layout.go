package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// layout writes each transcript below raw/REPOSITORY/ to where its agent would store it below a home. Formats that no
// supported agent writes (SpecStory's markdown, Copilot's events) become transcripts of Claude Code.
func layout(args []string) error {
	if len(args) != 2 {
		return fmt.Errorf("layout RAW HOME")
	}
	files, err := filepath.Glob(filepath.Join(args[0], "*", "*"))
	if err != nil {
		return err
	}
	if len(files) == 0 {
		return fmt.Errorf("%s: no transcripts; run sessions fetch first", args[0])
	}
	for _, path := range files {
		if strings.HasSuffix(path, ".meta.json") {
			continue
		}
		if err := layOut(path, args[1]); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	return nil
}

// session is a transcript to be written to a home.
type session struct {
	raw      []byte
	repo, id string
	home     string
}

func layOut(path, home string) error {
	raw, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	home, err = filepath.Abs(home)
	if err != nil {
		return err
	}
	name := filepath.Base(path)
	t := session{raw: raw, repo: filepath.Base(filepath.Dir(path)), id: strings.TrimSuffix(name, filepath.Ext(name)),
		home: home}
	if err := os.MkdirAll(t.dir(), 0o700); err != nil {
		return err
	}
	switch {
	case strings.HasSuffix(name, ".md"):
		return t.asClaude(specTurns(string(raw)), beginning(raw))
	case exported(raw):
		return t.openCode()
	case bytes.Contains(raw, []byte(`"type":"response_item"`)):
		return t.write(t.codexPath(), t.moved())
	case bytes.Contains(raw, []byte(`"type":"user.message"`)):
		return t.asClaude(copilotTurns(raw), time.Time{})
	}
	return t.write(t.claudePath(), t.moved())
}

// exported reports whether a transcript is one document, as OpenCode exports it.
func exported(raw []byte) bool {
	var doc struct {
		Info, Messages json.RawMessage
	}
	return json.Unmarshal(raw, &doc) == nil && doc.Info != nil && doc.Messages != nil
}

// dir returns a directory that represents the checkout of the session.
func (t session) dir() string { return filepath.Join(t.home, "src", t.repo) }

func (t session) claudePath() string {
	dir, id := filepath.Join(t.home, ".claude", "projects", strings.ReplaceAll(t.repo, "+", "-")), t.id
	if parent, agent, ok := strings.Cut(id, "@"); ok {
		dir, id = filepath.Join(dir, parent, "subagents"), agent
	}
	return filepath.Join(dir, id+".jsonl")
}

// rollout is the start of the names of Codex's files.
const rollout = "rollout-2026-01-01T00-00-00-"

func (t session) codexPath() string {
	return filepath.Join(t.home, ".codex", "sessions", "2026", "01", "01", rollout+t.id+".jsonl")
}

var cwd = regexp.MustCompile(`"cwd":"(?:[^"\\]|\\.)*"`)

// moved returns the transcript with our directory as the session's: the author's does not exist here.
func (t session) moved() []byte {
	dir, _ := json.Marshal(t.dir())
	return cwd.ReplaceAllLiteral(t.raw, append([]byte(`"cwd":`), dir...))
}

func (t session) write(path string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	if err := os.WriteFile(path, data, 0o600); err != nil {
		return err
	}
	long := time.Now().Add(-24 * time.Hour) // otherwise the session would count as still being written
	return os.Chtimes(path, long, long)
}

// turn is a message, or the use of a tool.
type turn struct {
	role, text string
	tool       string
	input      any
}

var dated = regexp.MustCompile(`\b20\d\d-\d\d-\d\d[ T]\d\d:\d\d`)

// beginning returns the first time in a chat, or zero.
func beginning(chat []byte) time.Time {
	at, _ := time.Parse("2006-01-02 15:04", strings.Replace(string(dated.Find(chat)), "T", " ", 1))
	return at
}

// asClaude writes turns in the format of Claude Code, from a time on.
func (t session) asClaude(turns []turn, at time.Time) error {
	var out bytes.Buffer
	if at.IsZero() {
		at = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	}
	for i, x := range turns {
		at = at.Add(time.Minute)
		role, content := x.role, any(x.text)
		if x.tool != "" {
			role = "assistant"
			content = []any{map[string]any{"type": "tool_use", "id": fmt.Sprint("call", i), "name": x.tool, "input": x.input}}
		} else if role == "assistant" {
			content = []any{map[string]any{"type": "text", "text": x.text}}
		}
		line, err := json.Marshal(map[string]any{"type": role, "timestamp": at, "sessionId": t.id, "cwd": t.dir(),
			"uuid":    fmt.Sprint(t.id, i),
			"message": map[string]any{"id": fmt.Sprint("msg", i), "role": role, "content": content}})
		if err != nil {
			return err
		}
		out.Write(append(line, '\n'))
	}
	return t.write(t.claudePath(), out.Bytes())
}

var (
	speaker  = regexp.MustCompile(`(?m)^_\*\*(User|Agent|Assistant)[^\n]*\*\*_\s*$`)
	thinking = regexp.MustCompile(`(?s)<think>.*?</think>|<tool-use.*?</tool-use>`)
)

// specTurns reads SpecStory's markdown.
func specTurns(text string) (out []turn) {
	heads := speaker.FindAllStringSubmatchIndex(text, -1)
	for i, h := range heads {
		end := len(text)
		if i+1 < len(heads) {
			end = heads[i+1][0]
		}
		said := strings.Trim(strings.TrimSpace(text[h[1]:end]), "-")
		said = strings.TrimSpace(thinking.ReplaceAllString(said, ""))
		role := "assistant"
		if text[h[2]:h[3]] == "User" {
			role = "user"
		}
		if said != "" {
			out = append(out, turn{role: role, text: said})
		}
	}
	return out
}

// copilotTurns reads the events of Copilot's command line.
func copilotTurns(raw []byte) (out []turn) {
	for line := range bytes.Lines(raw) {
		var e struct {
			Type string `json:"type"`
			Data struct {
				Content   string `json:"content"`
				ToolName  string `json:"toolName"`
				Arguments any    `json:"arguments"`
			} `json:"data"`
		}
		if json.Unmarshal(line, &e) != nil {
			continue
		}
		switch e.Type {
		case "user.message":
			out = append(out, turn{role: "user", text: e.Data.Content})
		case "assistant.message":
			if e.Data.Content != "" {
				out = append(out, turn{role: "assistant", text: e.Data.Content})
			}
		case "tool.execution_start":
			out = append(out, turn{tool: e.Data.ToolName, input: e.Data.Arguments})
		}
	}
	return out
}

// openCode splits an export into the files of OpenCode's storage.
func (t session) openCode() error {
	var doc struct {
		Info     map[string]any `json:"info"`
		Messages []struct {
			Info  map[string]any   `json:"info"`
			Parts []map[string]any `json:"parts"`
		} `json:"messages"`
	}
	if err := json.Unmarshal(t.raw, &doc); err != nil {
		return err
	}
	doc.Info["directory"] = t.dir()
	storage := filepath.Join(t.home, ".local", "share", "opencode", "storage")
	if err := t.writeJSON(filepath.Join(storage, "session", "project", t.id+".json"), doc.Info); err != nil {
		return err
	}
	for i, m := range doc.Messages {
		id, _ := m.Info["id"].(string)
		if id == "" {
			id = fmt.Sprintf("msg_%06d", i)
		}
		if err := t.writeJSON(filepath.Join(storage, "message", t.id, id+".json"), m.Info); err != nil {
			return err
		}
		for j, p := range m.Parts {
			if err := t.writeJSON(filepath.Join(storage, "part", id, fmt.Sprintf("prt_%06d.json", j)), p); err != nil {
				return err
			}
		}
	}
	return nil
}

func (t session) writeJSON(path string, v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return t.write(path, data)
}
