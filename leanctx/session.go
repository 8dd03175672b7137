package leanctx

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"keepmum/memory"
)

// gotchas are the resolved errors of one project.
type gotchas struct {
	Hash string   `json:"project_hash"`
	List []gotcha `json:"gotchas"`
}

type gotcha struct {
	Category    string    `json:"category"`
	Trigger     string    `json:"trigger"`
	Resolution  string    `json:"resolution"`
	Files       []string  `json:"file_patterns"`
	Occurrences int       `json:"occurrences"`
	Sessions    []string  `json:"session_ids"`
	First       time.Time `json:"first_seen"`
	Last        time.Time `json:"last_seen"`
	Confidence  float64   `json:"confidence"`
	Tags        []string  `json:"tags"`
}

func (g gotchas) contents() (Contents, error) { //nolint:unparam // one of the forms of read
	out := Contents{Hash: g.Hash}
	for _, one := range g.List {
		if strings.TrimSpace(one.Trigger) == "" || strings.TrimSpace(one.Resolution) == "" {
			out.Empty++ // an error without a fix helps nobody
			continue
		}
		out.Memories = append(out.Memories, one.memory())
	}
	return out, nil
}

func (g gotcha) memory() memory.Memory {
	title, rest := headline(g.Trigger)
	body := strings.TrimSpace(rest + "\n\nWhat helps: " + strings.TrimSpace(g.Resolution))
	if len(g.Files) > 0 {
		body += "\n\nIn " + strings.Join(g.Files, ", ") + "."
	}
	if g.Occurrences > 1 {
		body += fmt.Sprintf("\n\nSeen %d times, last on %s.", g.Occurrences, g.Last.UTC().Format(time.DateOnly))
	}
	m := memory.Memory{Primitive: memory.Learning, Kind: memory.Pitfall, Title: title, Body: body,
		Confidence: min(max(g.Confidence, 0), 1), Created: g.First, ValidFrom: g.First,
		Tags: tags(append([]string{g.Category}, g.Tags...)...)}
	for _, s := range g.Sessions {
		m.Sources = append(m.Sources, source(s)...)
	}
	return m
}

// session is the state of one session.
type session struct {
	ID      string    `json:"id"`
	Started time.Time `json:"started_at"`
	Updated time.Time `json:"updated_at"`
	Root    *string   `json:"project_root"`
	Task    *struct {
		Description string `json:"description"`
		Progress    *int   `json:"progress_pct"`
	} `json:"task"`
	Findings []struct {
		File    *string   `json:"file"`
		Summary string    `json:"summary"`
		At      time.Time `json:"timestamp"`
	} `json:"findings"`
	Decisions []struct {
		Summary   string    `json:"summary"`
		Rationale *string   `json:"rationale"`
		At        time.Time `json:"timestamp"`
	} `json:"decisions"`
	Next []string `json:"next_steps"`
}

func (s session) contents() (Contents, error) {
	if s.ID == "" {
		return Contents{}, errors.New("the session has no id")
	}
	out := Contents{Session: &Session{ID: s.ID, Started: s.Started}}
	if s.Root != nil {
		out.Root = *s.Root
	}
	add := func(n Note) {
		if n.Text = strings.TrimSpace(n.Text); n.At.IsZero() {
			n.At = s.Updated
		}
		switch {
		case n.Text == "":
			out.Empty++
		case n.Type == "finding" && automatic(n.Text):
			out.Automatic++
		default:
			out.Session.Notes = append(out.Session.Notes, n)
		}
	}
	if s.Task != nil {
		add(Note{Type: "task", Text: s.Task.Description, Progress: s.Task.Progress, At: s.Updated})
	}
	for _, d := range s.Decisions {
		text := d.Summary
		if d.Rationale != nil && *d.Rationale != "" {
			text += ": " + *d.Rationale
		}
		add(Note{Type: "decision", Text: text, At: d.At})
	}
	for _, f := range s.Findings {
		n := Note{Type: "finding", Text: f.Summary, At: f.At}
		if f.File != nil {
			n.File = *f.File
		}
		add(n)
	}
	for _, next := range s.Next {
		add(Note{Type: "next", Text: next, At: s.Updated})
	}
	return out, nil
}

// automatic reports whether the tool derived a finding from a tool's output. Such a finding says what was read,
// searched or run, and states no result.
func automatic(text string) bool {
	for _, begin := range []string{"Read ", "Found `", "Semantic search `", "Test `", "Build `", "FAILED (exit ",
		"Files related to ", "No files depend"} {
		if strings.HasPrefix(text, begin) {
			return true
		}
	}
	return false
}

// syntax says where JSON is broken, without quoting it.
func syntax(data []byte, err error) error {
	var s *json.SyntaxError
	var t *json.UnmarshalTypeError
	at := int64(-1)
	switch {
	case errors.As(err, &s):
		at = s.Offset
	case errors.As(err, &t):
		at = t.Offset
	}
	if at < 0 || at > int64(len(data)) {
		return nil
	}
	return fmt.Errorf("line %d is not what it should be", 1+strings.Count(string(data[:at]), "\n"))
}
