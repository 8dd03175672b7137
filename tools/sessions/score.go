package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"keepmum/tools/sessions/judged"
)

// score compares the memories that `mum sync` wrote below a data directory with labels.
func score(args []string) error {
	if len(args) != 2 {
		return fmt.Errorf("score LABELS DATA")
	}
	labels, err := judged.Read(args[0])
	if err != nil {
		return err
	}
	memories, err := written(args[1])
	if err != nil {
		return err
	}
	var all judged.Score
	for _, s := range labels {
		all.Add(s, memories[filepath.Base(s.Session)])
	}
	fmt.Println(all)
	return nil
}

var source = regexp.MustCompile(`(?m)^\s*- \{from: ([^,]+), ref:`)

// written returns the statements of the memories below a directory, by the session they come from.
func written(dir string) (map[string][]string, error) {
	out := map[string][]string{}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		kind := filepath.Base(filepath.Dir(path))
		if err != nil || d.IsDir() || filepath.Ext(path) != ".md" || kind != "decisions" && kind != "learnings" {
			return err
		}
		raw, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		m := source.FindSubmatch(raw)
		_, body, ok := strings.Cut(string(raw), "\n---\n")
		if m == nil || !ok {
			return nil
		}
		said, _, _ := strings.Cut(strings.TrimSpace(body), "\n\n")
		id := strings.TrimPrefix(filepath.Base(string(m[1])), rollout)
		out[id] = append(out[id], said)
		return nil
	})
	return out, err
}

// hide turns the lines of labellers into labels that may be committed: one file each; the transcripts are below raw.
func hide(args []string) error {
	if len(args) < 3 {
		return fmt.Errorf("hide RAW OUT LABELLER…")
	}
	index := map[string]int{}
	var out []judged.Session
	for n, name := range args[2:] {
		raw, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		for line := range bytes.Lines(raw) {
			var l struct {
				Session string
				Items   []struct {
					Turn                              int
					Kind, Who, Said, Statement, Worth string
				}
			}
			if err := json.Unmarshal(line, &l); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			at, ok := index[l.Session]
			if !ok {
				at = len(out)
				index[l.Session] = at
				out = append(out, judged.Session{Session: l.Session, Text: digest(args[0], l.Session)})
			}
			items := []judged.Item{}
			for _, i := range l.Items {
				items = append(items, judged.NewItem(i.Turn, i.Kind, i.Who, i.Worth, i.Said, i.Statement))
			}
			for len(out[at].Labels) < n {
				out[at].Labels = append(out[at].Labels, []judged.Item{})
			}
			out[at].Labels = append(out[at].Labels, items)
		}
	}
	var b bytes.Buffer
	for _, s := range out {
		line, err := json.Marshal(s)
		if err != nil {
			return err
		}
		b.Write(append(line, '\n'))
	}
	return os.WriteFile(args[1], b.Bytes(), 0o644)
}

func digest(dir, session string) string {
	for _, ext := range []string{".jsonl", ".md"} {
		if raw, err := os.ReadFile(filepath.Join(dir, session+ext)); err == nil {
			return judged.Digest(raw)
		}
	}
	return ""
}
