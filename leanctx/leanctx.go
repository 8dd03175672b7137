// Package leanctx answers one question: what do the files of lean-ctx contain?
//
// lean-ctx keeps a knowledge base (knowledge.json), gotchas (gotchas.json) and a file for each session, and exports
// facts as a list or line by line. Findings that it derived itself from the output of tools are skipped, because nobody
// stated them. The text has not passed the gate.
package leanctx

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"keepmum/memory"
)

// Contents is what a file contains.
type Contents struct {
	Root      string // directory of the project; "" = not stated
	Hash      string // the tool's hash of that directory
	Memories  []memory.Memory
	Session   *Session
	Automatic int // skipped: findings that the tool derived itself
	Empty     int // facts without a statement
}

// Session contains the notes of one session.
type Session struct {
	ID      string
	Started time.Time
	Notes   []Note
}

// Note is one note. Its type is one of [keepmum/store]: task, finding, decision, next.
type Note struct {
	Type, Text, File string
	Progress         *int
	At               time.Time
}

// ErrUnknown means that a file is not in a format of lean-ctx.
var ErrUnknown = errors.New("it is not a knowledge.json, gotchas.json, session or list of facts of lean-ctx")

// Read reads a file in any of the formats.
func Read(data []byte) (Contents, error) {
	data = bytes.TrimSpace(bytes.TrimPrefix(data, []byte("\uFEFF")))
	switch {
	case bytes.HasPrefix(data, []byte("[")):
		var list []fact
		if err := json.Unmarshal(data, &list); err != nil {
			return Contents{}, errors.Join(ErrUnknown, syntax(data, err))
		}
		return knowledge{Facts: list}.contents()
	case !bytes.HasPrefix(data, []byte("{")):
		return Contents{}, ErrUnknown
	}
	var has map[string]json.RawMessage
	if err := json.Unmarshal(data, &has); err != nil {
		return lines(data, err)
	}
	switch {
	case has["facts"] != nil:
		return read[knowledge](data)
	case has["gotchas"] != nil:
		return read[gotchas](data)
	case has["started_at"] != nil && has["findings"] != nil:
		return read[session](data)
	case has["value"] != nil:
		return lines(data, nil)
	}
	return Contents{}, ErrUnknown
}

func read[T interface{ contents() (Contents, error) }](data []byte) (Contents, error) {
	var from T
	if err := json.Unmarshal(data, &from); err != nil {
		return Contents{}, errors.Join(ErrUnknown, syntax(data, err))
	}
	return from.contents()
}

// lines reads one fact per line.
func lines(data []byte, why error) (Contents, error) {
	var k knowledge
	for line := range bytes.Lines(data) {
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		var f fact
		if err := json.Unmarshal(line, &f); err != nil || f.Category == "" && f.Key == "" {
			return Contents{}, errors.Join(ErrUnknown, syntax(data, why))
		}
		k.Facts = append(k.Facts, f)
	}
	return k.contents()
}

// knowledge is the knowledge base of one project.
type knowledge struct {
	Root     string    `json:"project_root"`
	Hash     string    `json:"project_hash"`
	Facts    []fact    `json:"facts"`
	Patterns []pattern `json:"patterns"`
}

type fact struct {
	Category   string    `json:"category"`
	Key        string    `json:"key"`
	Value      string    `json:"value"`
	Session    string    `json:"source_session"`
	Source     string    `json:"source"` // only in a list: who stated it
	Confidence *float64  `json:"confidence"`
	Created    time.Time `json:"created_at"`
	Stamp      moment    `json:"timestamp"` // only in a list
	From       time.Time `json:"valid_from"`
	Until      time.Time `json:"valid_until"`
	Archetype  string    `json:"archetype"`
}

type pattern struct {
	Type        string    `json:"pattern_type"`
	Description string    `json:"description"`
	Examples    []string  `json:"examples"`
	Session     string    `json:"source_session"`
	Created     time.Time `json:"created_at"`
}

// moment is a time in text form; text that is not a time gives the zero time.
type moment struct{ time.Time }

func (m *moment) UnmarshalJSON(data []byte) error {
	var s string
	if json.Unmarshal(data, &s) == nil {
		m.Time, _ = time.Parse(time.RFC3339, s)
	}
	return nil
}

// isAutomatic reports whether the tool derived a fact itself; such facts have these special session names.
func isAutomatic(session, key string) bool {
	switch session {
	case "auto-capture", "cognition-synthesis", "cognition-compaction":
		return true
	}
	return strings.HasPrefix(key, "auto:")
}

func (k knowledge) contents() (Contents, error) {
	out := Contents{Root: k.Root, Hash: k.Hash}
	for _, f := range k.Facts {
		switch {
		case isAutomatic(f.Session, f.Key) || isAutomatic(f.Source, ""):
			out.Automatic++
		case strings.TrimSpace(f.Value) == "":
			out.Empty++
		default:
			out.Memories = append(out.Memories, f.memory())
		}
	}
	for _, p := range k.Patterns {
		if strings.TrimSpace(p.Description) == "" {
			out.Empty++
			continue
		}
		text := p.Description
		if len(p.Examples) > 0 {
			text += "\n\n- " + strings.Join(p.Examples, "\n- ")
		}
		m := stated(text, memory.Learning, memory.Insight)
		m.Tags, m.Created, m.ValidFrom, m.Sources = tags("pattern", p.Type), p.Created, p.Created, source(p.Session)
		out.Memories = append(out.Memories, m)
	}
	return out, nil
}

// defaultConfidence is the confidence of a fact without a rating, as in lean-ctx.
const defaultConfidence = 0.8

func (f fact) memory() memory.Memory {
	text := strings.TrimSpace(f.Value)
	if len([]rune(text)) < memory.MinTitle { // "Stripe" means nothing without its key
		text = strings.NewReplacer("_", " ", "-", " ").Replace(f.Key) + ": " + text
	}
	primitive, kind := kindOf(f.Archetype, f.Category)
	m := stated(text, primitive, kind)
	m.Key, m.Tags = keyOf(f.Category, f.Key), tags(f.Category)
	m.Created = f.Created
	if m.Created.IsZero() {
		m.Created = f.Stamp.Time
	}
	if m.ValidFrom = f.From; m.ValidFrom.IsZero() {
		m.ValidFrom = m.Created
	}
	m.Sources = source(f.Session)
	if f.Confidence != nil {
		m.Confidence = min(max(*f.Confidence, 0), 1)
	}
	if !f.Until.IsZero() {
		m.ValidTo, m.Archived = f.Until, true
	}
	return m
}

// stated makes a title of the first sentence and a body of the rest. Without a rest it is a fact, whatever kind was
// given.
func stated(text string, p memory.Primitive, k memory.Kind) memory.Memory {
	m := memory.Memory{Primitive: p, Kind: k, Confidence: defaultConfidence}
	if m.Title, m.Body = headline(text); m.Body == "" {
		m.Primitive, m.Kind = memory.Learning, memory.Fact
	}
	return m
}

// maxTitle limits the length of a title; a longer sentence is cut, and the body has all of it.
const maxTitle = 120

func headline(text string) (title, body string) {
	text = strings.TrimSpace(text)
	end := len(text)
	for _, mark := range []string{"\n", ". ", "! ", "? "} {
		if at := strings.Index(text, mark); at >= memory.MinTitle && at < end {
			end = at
		}
	}
	title, body = text[:end], strings.TrimSpace(strings.TrimLeft(text[end:], ".!? \n"))
	if r := []rune(title); len(r) > maxTitle {
		cut := strings.TrimSpace(string(r[:maxTitle-1]))
		if at := strings.LastIndexByte(cut, ' '); at > maxTitle/2 {
			cut = cut[:at]
		}
		return cut + "…", text
	}
	return title, body
}

// kindOf converts an archetype; without one, the category decides.
func kindOf(archetype, category string) (memory.Primitive, memory.Kind) {
	kinds := map[string]memory.Kind{"gotcha": memory.Pitfall, "gotchas": memory.Pitfall, "bug": memory.Pitfall,
		"bugs": memory.Pitfall, "blocker": memory.Pitfall, "known_bugs": memory.Pitfall, "known_issues": memory.Pitfall,
		"preference": memory.Preference, "preferences": memory.Preference, "workflow": memory.Procedure,
		"workflows": memory.Procedure, "convention": memory.Preference, "conventions": memory.Preference}
	for _, name := range []string{archetype, category} {
		name = strings.ToLower(strings.TrimSpace(name))
		if strings.HasPrefix(name, "decision") || strings.HasPrefix(name, "solution") {
			return memory.Decision, ""
		}
		if k := kinds[name]; k != "" {
			return memory.Learning, k
		}
	}
	return memory.Learning, memory.Insight
}

// keyOf makes a key from a category and a free-form key. It returns "" if nothing is left, or if the key is too long: a
// cut key could collide with another one.
func keyOf(category, key string) string {
	plain := func(s string) string {
		s = strings.Map(func(r rune) rune {
			if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || strings.ContainsRune("._/-", r) {
				return r
			}
			return '-'
		}, strings.ToLower(strings.TrimSpace(s)))
		for strings.Contains(s, "--") {
			s = strings.ReplaceAll(s, "--", "-")
		}
		return strings.Trim(s, "-/")
	}
	if category, key = plain(category), plain(key); key == "" || category == "" {
		return ""
	}
	out, err := memory.ParseKey("", category+"/"+key)
	if err != nil {
		return ""
	}
	return out
}

func tags(names ...string) (out []string) {
	for _, n := range names {
		if n = strings.Join(strings.Fields(strings.ToLower(n)), "-"); n != "" {
			out = append(out, n)
		}
	}
	return out
}

// Agent is the agent name of sessions from lean-ctx.
const Agent = "lean-ctx"

func source(session string) []memory.Origin {
	switch session {
	case "", "import", "user", "cli", "manual", "agent":
		return nil
	}
	return []memory.Origin{{Session: Agent + "/" + session}}
}
