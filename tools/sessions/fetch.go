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
	"regexp"
	"strings"
)

//go:embed sources.txt
var sources string

// fetch clones the repositories of sources.txt below DIR/clones and extracts their transcripts: DIR/dev/raw and
// DIR/blind/raw. If a session was committed more than once, it uses the longest version.
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
		if len(f) < 3 || f[0] == "#" {
			continue
		}
		s := place{split: f[0], repo: f[1], branch: f[2]}
		if len(f) > 3 {
			s.commit = f[3]
		}
		if err := fetchOne(args[0], from, s); err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", s.repo, err) // it may no longer exist; continue with the rest
		}
	}
	return nil
}

// What sources.txt has in place of a branch for repositories whose sessions are among their files.
const (
	history = "specstory" // chats in .specstory/history
	agents  = "agents"    // sessions of Claude Code and Codex, committed unchanged
)

// place is a repository with sessions. If it has a commit, it is read up to there.
type place struct{ split, repo, branch, commit string }

func fetchOne(dir, from string, s place) error {
	name := strings.ReplaceAll(s.repo, "/", "+")
	clone := filepath.Join(dir, "clones", name)
	if _, err := os.Stat(clone); err != nil {
		args := []string{"clone", "--quiet", "--bare", "--single-branch"}
		if s.branch != history && s.branch != agents {
			args = append(args, "--branch", s.branch)
		}
		if _, err := git("", append(args, from+s.repo, clone)...); err != nil {
			return err
		}
	}
	read := map[string]func(string, string) (map[string][]byte, error){history: chats, agents: kept}[s.branch]
	tip := "HEAD"
	if read == nil {
		read, tip = checkpoints, s.branch // a clone that was brought by other means has more branches
	}
	found, err := read(clone, or(s.commit, tip))
	if err != nil {
		return err
	}
	for file, data := range found {
		// A home contains several projects: the part before the last slash distinguishes them.
		out := filepath.Join(dir, s.split, "raw", strings.Trim(name+"+"+filepath.Dir(file), "+."), filepath.Base(file))
		if err := os.MkdirAll(filepath.Dir(out), 0o700); err != nil {
			return err
		}
		if err := os.WriteFile(out, data, 0o600); err != nil {
			return err
		}
	}
	fmt.Println(s.repo, len(found), "sessions")
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

// checkpoints returns the transcripts of a branch of checkpoints, by session.
func checkpoints(clone, commit string) (map[string][]byte, error) {
	list, err := git(clone, "ls-tree", "-r", commit)
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
		if raw, err := git(clone, "show", commit+":"+filepath.Dir(path)+"/metadata.json"); err == nil {
			_ = json.Unmarshal(raw, &meta) // without it the blob is the name of the session
		}
		keepLongest(out, filepath.Base(or(meta.ID, fields[2]))+".jsonl", data)
	}
	return out, nil
}

// chats returns the files of a chat history, including those deleted since.
func chats(clone, _ string) (map[string][]byte, error) {
	out := map[string][]byte{}
	err := everyFile(clone, "--all", "*.specstory/history/*.md", func(path string, data []byte) {
		if sum := sha1.Sum([]byte(path)); bytes.Contains(data, []byte("_**User")) { //nolint:gosec // as above
			keepLongest(out, hex.EncodeToString(sum[:6])+".md", data)
		}
	})
	return out, err
}

var (
	claudeFile = regexp.MustCompile(`(?:^|/)projects/([^/]+)/(?:([0-9a-f-]{36})/subagents/)?((?:agent-\w+|[0-9a-f-]{36})\.jsonl)$`)
	codexFile  = regexp.MustCompile(`rollout-[0-9T-]+?-([0-9a-f]{8}-[0-9a-f-]{27}\.jsonl)$`)
)

// kept are the sessions that Claude Code and Codex wrote and someone committed, also those
// that were deleted since: PROJECT/SESSION.jsonl, and of a subagent PROJECT/SESSION@agent-ID.jsonl.
func kept(clone, commit string) (map[string][]byte, error) {
	out := map[string][]byte{}
	err := everyFile(clone, commit, "*.jsonl", func(path string, data []byte) {
		if m := codexFile.FindStringSubmatch(path); m != nil {
			keepLongest(out, m[1], data)
		}
		if m := claudeFile.FindStringSubmatch(path); m != nil {
			keepLongest(out, m[1]+"/"+strings.TrimPrefix(m[2]+"@"+m[3], "@"), data)
		}
	})
	return out, err
}

// everyFile calls do with each version of the files that match a pattern.
func everyFile(clone, commit, pattern string, do func(path string, data []byte)) error {
	log, err := git(clone, "log", commit, "--format=", "--raw", "--no-abbrev", "--no-renames", "--diff-filter=AM", "--",
		pattern)
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(log)) {
		about, path, _ := strings.Cut(strings.TrimSpace(line), "\t")
		fields := strings.Fields(about)
		const blob = 3
		if len(fields) <= blob {
			continue
		}
		if data, err := git(clone, "cat-file", "blob", fields[blob]); err == nil { // a clone may lack its largest files
			do(path, data)
		}
	}
	return nil
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
