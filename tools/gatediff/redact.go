package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// sample is one text of a set.
type sample struct {
	Text    string   `json:"text"`
	Path    string   `json:"path,omitempty"`
	Rule    string   `json:"rule,omitempty"`
	Kind    string   `json:"kind,omitempty"`
	Source  string   `json:"source,omitempty"`
	Secrets []string `json:"secrets,omitempty"`
	Visible *bool    `json:"visible,omitempty"`
}

// answer is what the gate returned for it.
type answer struct {
	Text     string `json:"text"`
	Findings []struct {
		Rule  string `json:"rule"`
		Bytes int    `json:"bytes"`
	} `json:"findings"`
}

// redacted calls do with each sample of a set and its answer, and returns the CPU time of the build. No set is ever
// completely in memory.
func redacted(mum, set string, do func(n int, s sample, a answer) error) (time.Duration, error) {
	in, err := os.Open(set)
	if err != nil {
		return 0, err
	}
	defer in.Close()
	home, err := os.MkdirTemp("", "gatediff")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(home)
	mum, err = filepath.Abs(mum)
	if err != nil {
		return 0, err
	}
	cmd := exec.Command(mum, "redact", "--jsonl")
	cmd.Dir, cmd.Env, cmd.Stderr = home, []string{"HOME=" + home, "MUM_HOME=" + home, "PATH=" + os.Getenv("PATH")},
		os.Stderr
	cmd.Stdin = in
	out, err := cmd.StdoutPipe()
	if err != nil {
		return 0, err
	}
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	err = pair(set, out, do)
	if err != nil {
		cmd.Process.Kill()
	}
	if waited := cmd.Wait(); err == nil {
		err = waited
	}
	return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), err
}

// pair reads a set together with the answers to it.
func pair(set string, out io.Reader, do func(n int, s sample, a answer) error) error {
	in, err := os.Open(set)
	if err != nil {
		return err
	}
	defer in.Close()
	samples, answers := json.NewDecoder(bufio.NewReaderSize(in, 1<<20)), bufio.NewReaderSize(out, 1<<20)
	for n := 0; ; n++ {
		line, err := answers.ReadBytes('\n')
		if len(bytes.TrimSpace(line)) == 0 && err == io.EOF {
			return nil
		}
		var s sample
		var a answer
		if err := json.Unmarshal(line, &a); err != nil {
			return fmt.Errorf("answer %d: %w", n+1, err)
		}
		if err := samples.Decode(&s); err != nil {
			return fmt.Errorf("sample %d: %w", n+1, err)
		}
		if err := do(n, s, a); err != nil {
			return err
		}
	}
}
