package githistory

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// ErrNoGit means that git is not installed.
var ErrNoGit = errors.New("git is not installed")

const (
	patience  = 30 * time.Second // of one call of git
	maxOutput = 64 << 20         // bytes read from one call
	maxAlloc  = "256m"           // that git may allocate at once: an object may claim to be larger than it is
)

// Git is this machine's git.
type Git struct {
	program string
	scratch string
}

// Find looks for git. The scratch directory must be used for nothing else: it is created when needed, and emptied.
func Find(scratch string) (*Git, error) {
	program, err := exec.LookPath("git")
	if err != nil { // includes a git that is only in the current directory
		return nil, ErrNoGit
	}
	if program, err = filepath.Abs(program); err != nil {
		return nil, err
	}
	if runtime.GOOS == "darwin" && program == "/usr/bin/git" {
		return findApple(scratch)
	}
	return &Git{program: program, scratch: scratch}, nil
}

// findApple finds the git behind macOS's stub, which asks the user to install the tools if they are missing.
func findApple(scratch string) (*Git, error) {
	for _, tools := range []string{"/Library/Developer/CommandLineTools", "/Applications/Xcode.app/Contents/Developer"} {
		program := tools + "/usr/bin/git"
		if _, err := os.Stat(program); err == nil {
			return &Git{program: program, scratch: scratch}, nil
		}
	}
	return nil, ErrNoGit
}

// environment is everything that git gets; it inherits nothing from the daemon.
func (g *Git) environment(objects string) []string {
	path := []string{filepath.Dir(g.program)}
	if runtime.GOOS != "windows" {
		path = append(path, "/usr/local/bin", "/usr/bin", "/bin")
	}
	return []string{
		"PATH=" + strings.Join(path, string(os.PathListSeparator)), "HOME=" + g.scratch, "XDG_CONFIG_HOME=" + g.scratch,
		"LC_ALL=C", "PAGER=cat",
		"GIT_DIR=" + g.scratch, "GIT_OBJECT_DIRECTORY=" + objects,
		"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_SYSTEM=" + os.DevNull, "GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_ATTR_NOSYSTEM=1",
		"GIT_NO_REPLACE_OBJECTS=1", "GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=none", "GIT_TERMINAL_PROMPT=0",
		"GIT_OPTIONAL_LOCKS=0", "GIT_ALLOC_LIMIT=" + maxAlloc, "GIT_PAGER=cat", "GIT_EDITOR=:",
	}
}

// config is the config of the directory that git gets. Most of it repeats defaults, in case git was built with others.
// Line ends alone are no difference (autocrlf), because the user's own setting is not read.
const config = `[core]
	repositoryformatversion = 1
	bare = false
	fileMode = false
	autocrlf = input
	commitGraph = false
	fsmonitor = false
	untrackedCache = false
	hooksPath = ` + os.DevNull + `
	attributesFile = ` + os.DevNull + `
	excludesFile = ` + os.DevNull + `
	pager = cat
[gc]
	auto = 0
[maintenance]
	auto = false
[protocol]
	allow = never
[submodule]
	recurse = false
`

// makeDir creates the directory that git gets.
func (g *Git) makeDir(sha256 bool, shallow []string) error {
	if err := g.Clear(); err != nil {
		return err
	}
	conf := config
	if sha256 {
		conf += "[extensions]\n\tobjectFormat = sha256\n"
	}
	if err := os.MkdirAll(filepath.Join(g.scratch, "refs"), 0o700); err != nil {
		return err
	}
	files := map[string]string{"HEAD": "ref: refs/heads/none\n", "config": conf}
	if len(shallow) > 0 {
		files["shallow"] = lines(shallow)
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(g.scratch, name), []byte(text), 0o600); err != nil {
			return err
		}
	}
	return nil
}

// Clear removes the scratch directory.
func (g *Git) Clear() error { return os.RemoveAll(g.scratch) }

// run calls git, writes to it and reads its output. It ignores stderr, which may quote the repository.
func (r *Repo) run(ctx context.Context, in string, read func(io.Reader) error, args ...string) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, r.git.program, args...)
	cmd.Dir = r.git.scratch
	cmd.Env = append(r.git.environment(r.objects), r.env...)
	cmd.Stdin = strings.NewReader(in)
	cmd.WaitDelay = time.Second
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("start git: %w", err)
	}
	yieldTo(cmd.Process.Pid)
	rerr := read(io.LimitReader(out, maxOutput))
	if rerr != nil {
		cancel() // git must not wait for a reader
	} else if n, _ := io.Copy(io.Discard, io.LimitReader(out, 1)); n > 0 {
		rerr = errTooMuch
		cancel()
	}
	if err := cmd.Wait(); rerr == nil && err != nil {
		return fmt.Errorf("git %s: %w", args[0], err)
	}
	return rerr
}

var errTooMuch = errors.New("too much output of git")

// output returns the whole output of one call.
func (r *Repo) output(ctx context.Context, in string, args ...string) ([]byte, error) {
	var out bytes.Buffer
	err := r.run(ctx, in, func(from io.Reader) error { _, err := out.ReadFrom(from); return err }, args...)
	return out.Bytes(), err
}
