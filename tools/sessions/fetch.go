package main

import (
	"bytes"
	"crypto/sha1" //nolint:gosec // a name for a file, no secret hangs on it
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

//go:embed sources.txt
var sources string

// fetch clones the repositories of sources.txt below DIR/clones and takes their
// transcripts out of them: DIR/dev/raw and DIR/blind/raw. Where a session was
// committed more than once its longest form counts.
func fetch(args []string) error {
	if len(args) < 1 {
		return fmt.Errorf("fetch DIR [FROM]; FROM is https://github.com/ unless it is given")
	}
	from := "https://github.com/"
	if len(args) > 1 {
		from = args[1]
	}
	for line := range strings.Lines(sources) {
		f := strings.Fields(line)
		if len(f) != 3 || f[0] == "#" {
			continue
		}
		if err := fetchOne(args[0], from, f[0], f[1], f[2]); err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", f[1], err) // it may be gone; the rest continues
		}
	}
	return nil
}

// history stands for the branch of repositories whose chats are in .specstory/history.
const history = "specstory"

func fetchOne(dir, from, split, repo, branch string) error {
	name := strings.ReplaceAll(repo, "/", "+")
	clone := filepath.Join(dir, "clones", name)
	if _, err := os.Stat(clone); err != nil {
		args := []string{"clone", "--quiet", "--bare", "--single-branch"}
		if branch != history {
			args = append(args, "--branch", branch)
		}
		if _, err := git("", append(args, from+repo, clone)...); err != nil {
			return err
		}
	}
	found, err := checkpoints(clone)
	if branch == history {
		found, err = chats(clone)
	}
	if err != nil {
		return err
	}
	out := filepath.Join(dir, split, "raw", name)
	if err := os.MkdirAll(out, 0o700); err != nil {
		return err
	}
	for file, data := range found {
		if err := os.WriteFile(filepath.Join(out, file), data, 0o600); err != nil {
			return err
		}
	}
	fmt.Println(repo, len(found), "sessions")
	return nil
}

func git(dir string, args ...string) ([]byte, error) {
	if dir != "" {
		args = append([]string{"--git-dir", dir}, args...)
	}
	cmd := exec.Command("git", args...)
	cmd.Env = append(os.Environ(), "GIT_TERMINAL_PROMPT=0")
	var complaint bytes.Buffer
	cmd.Stderr = &complaint
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("git: %s", strings.TrimSpace(complaint.String()))
	}
	return out, nil
}

// checkpoints are the transcripts of a branch of checkpoints, by session.
func checkpoints(clone string) (map[string][]byte, error) {
	list, err := git(clone, "ls-tree", "-r", "HEAD")
	if err != nil {
		return nil, err
	}
	out := map[string][]byte{}
	for line := range strings.Lines(string(list)) {
		about, path, _ := strings.Cut(strings.TrimSpace(line), "\t")
		fields := strings.Fields(about)
		if len(fields) != 3 || filepath.Base(path) != "full.jsonl" {
			continue
		}
		data, err := git(clone, "cat-file", "blob", fields[2])
		if err != nil {
			continue // a clone may lack its largest files
		}
		var meta struct {
			ID string `json:"session_id"`
		}
		if raw, err := git(clone, "show", "HEAD:"+filepath.Dir(path)+"/metadata.json"); err == nil {
			_ = json.Unmarshal(raw, &meta) // without it the blob names the session
		}
		keepLongest(out, filepath.Base(or(meta.ID, fields[2]))+".jsonl", data)
	}
	return out, nil
}

// chats are the files of a chat history, also those that were deleted since.
func chats(clone string) (map[string][]byte, error) {
	log, err := git(clone, "log", "--all", "--format=", "--raw", "--no-abbrev", "--no-renames", "--diff-filter=AM", "--",
		"*.specstory/history/*.md")
	if err != nil {
		return nil, err
	}
	out := map[string][]byte{}
	for line := range strings.Lines(string(log)) {
		about, path, _ := strings.Cut(strings.TrimSpace(line), "\t")
		fields := strings.Fields(about)
		const blob = 3
		if len(fields) <= blob {
			continue
		}
		data, err := git(clone, "cat-file", "blob", fields[blob])
		if err != nil {
			continue // as above
		}
		if sum := sha1.Sum([]byte(path)); bytes.Contains(data, []byte("_**User")) { //nolint:gosec // as above
			keepLongest(out, hex.EncodeToString(sum[:6])+".md", data)
		}
	}
	return out, nil
}

func keepLongest(list map[string][]byte, name string, data []byte) {
	if len(data) > len(list[name]) {
		list[name] = data
	}
}

func or(a, b string) string {
	if a != "" {
		return a
	}
	return b
}
