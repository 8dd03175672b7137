package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"keepmum/api"
	"keepmum/config"
	"keepmum/daemon"
	"keepmum/home"
	"keepmum/safefile"
	"keepmum/testdata/demo"
)

// planted is one invented secret of the demo session.
type planted struct {
	Where  string `json:"where"`
	Secret string `json:"secret"`
}

func newDemoCmd(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "demo", Short: "Show on a made-up session what is kept and what is not", Args: cobra.NoArgs,
		Long: `Replay a session full of invented secrets through the real hooks into a temporary
directory. Then show what was kept, a search, what the next session is told, and
that no byte on disk contains a secret. Your own data is not touched.`,
		Example: "  mum demo",
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.runDemo(cmd.Context()) },
	}
}

func (a *app) runDemo(ctx context.Context) error {
	root, err := os.MkdirTemp("", "mum-demo-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(root) }()
	// If the reader closes the pipe, writing fails and the directory is still removed. The signal itself says nothing:
	// the daemon gets one, too, when a connection ends before its answer.
	pipes := make(chan os.Signal, 1)
	signal.Notify(pipes, syscall.SIGPIPE)
	defer signal.Stop(pipes)
	dir := home.Dir(filepath.Join(root, "mum"))
	var secrets []planted
	if err := json.Unmarshal(demo.Planted, &secrets); err != nil {
		return fmt.Errorf("read the demo: %w", err)
	}
	if err := a.playDemo(ctx, dir); err != nil {
		return err
	}
	return a.proveAbsent(dir, secrets)
}

// playDemo runs a daemon on dir until the session ends.
func (a *app) playDemo(ctx context.Context, dir home.Dir) error {
	c := config.Loaded{Config: config.Default()}
	c.Daemon.Port = 0
	c.Privacy.Vault = false     // the demo is the same on every machine
	c.Compress.Provider = "off" // and needs no model
	if _, err := home.Prepare(dir); err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	done := make(chan error, 1)
	go func() {
		done <- daemon.New(daemon.Options{Home: dir, Config: c, UserHome: "/home/dev", Version: version()}).Run(ctx)
	}()
	if _, err := waitUp(ctx, dir, c); err != nil {
		stop()
		return errOr(<-done, err)
	}
	err := a.showDemo(ctx, api.NewClient(string(dir), ""))
	stop()
	return errOr(<-done, err)
}

// errOr returns the cause if there is one, otherwise the effect.
func errOr(cause, effect error) error {
	if cause != nil {
		return cause
	}
	return effect
}

func (a *app) showDemo(ctx context.Context, client *api.Client) error {
	a.printf("1. A session of Claude Code, %d hook events, goes through the real hooks.\n",
		bytes.Count(demo.Session, []byte("\n")))
	if _, err := replay(ctx, client, demo.Session); err != nil {
		return err
	}
	if err := a.showKept(ctx, client); err != nil {
		return err
	}
	if err := a.showSearch(ctx, client, "why does the staging deploy fail"); err != nil {
		return err
	}
	told, err := replay(ctx, client, demo.Next)
	if err != nil {
		return err
	}
	a.printf("\n4. The next session asks about it, and its agent is told:\n")
	for _, answer := range told {
		a.printf("%s", indent(injected(answer)))
	}
	return nil
}

// replay posts each payload as the agent's hook would, and returns the answers.
func replay(ctx context.Context, client *api.Client, payloads []byte) ([][]byte, error) {
	var answers [][]byte
	for lines := bufio.NewScanner(bytes.NewReader(payloads)); lines.Scan(); {
		resp, err := client.Send(ctx, http.MethodPost, "/hooks/claude", bytes.NewReader(lines.Bytes()))
		if err != nil {
			return nil, err
		}
		answer, err := io.ReadAll(resp.Body)
		_ = resp.Body.Close()
		if err != nil {
			return nil, fmt.Errorf("read the answer to a hook: %w", err)
		}
		if len(answer) > 0 {
			answers = append(answers, answer)
		}
	}
	return answers, nil
}

func injected(answer []byte) string {
	var out struct {
		HookSpecificOutput struct {
			AdditionalContext string `json:"additionalContext"`
		} `json:"hookSpecificOutput"`
	}
	_ = json.Unmarshal(answer, &out) // an answer of another form shows as nothing
	return out.HookSpecificOutput.AdditionalContext
}

func (a *app) showKept(ctx context.Context, client *api.Client) error {
	var s api.Status
	if err := client.Get(ctx, "/status", nil, &s); err != nil {
		return err
	}
	a.printf("\n2. What was kept (%s removed, %s with a denied path):\n", count(s.Capture.Redacted, "secret"),
		count(s.Capture.Excluded, "event"))
	var found api.SearchResults
	if err := client.Get(ctx, "/search", url.Values{"limit": {"50"}}, &found); err != nil {
		return err
	}
	slices.Reverse(found.Results)
	for _, r := range found.Results {
		a.printf("   %-11s %s\n", spoken(r.Type, r.Origin), oneLine(inShort(r), 100))
	}
	return nil
}

func (a *app) showSearch(ctx context.Context, client *api.Client, q string) error {
	var found api.SearchResults
	if err := client.Get(ctx, "/search", url.Values{"q": {q}, "limit": {"3"}}, &found); err != nil {
		return err
	}
	a.printf("\n3. mum search %q, %.1f ms:\n", q, found.TookMS)
	for i, r := range found.Results {
		a.printf("   %d. %s\n", i+1, oneLine(inShort(r), 100))
	}
	return nil
}

// proveAbsent reads every byte below dir and searches for each secret.
func (a *app) proveAbsent(dir home.Dir, secrets []planted) error {
	var files int
	var size int64
	var leaks []string
	err := filepath.WalkDir(string(dir), func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		data, err := safefile.Read(path, 1<<30)
		if err != nil {
			return err
		}
		files++
		size += int64(len(data))
		for _, s := range secrets {
			if bytes.Contains(data, []byte(s.Secret)) {
				leaks = append(leaks, fmt.Sprintf("the secret in %s is in %s", s.Where, filepath.Base(path)))
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	a.printf("\n5. The proof: %s planted, searched for in all %d bytes of %s:\n", count(len(secrets), "secret"), size,
		count(files, "file"))
	if len(leaks) > 0 {
		return fmt.Errorf("a secret was kept: %s", strings.Join(leaks, "; "))
	}
	for _, s := range secrets {
		a.printf("   gone  %s…  (was in %s)\n", s.Secret[:6], s.Where)
	}
	return nil
}

// inShort returns the title of a result and its snippet, without the input that the title already contains.
func inShort(r api.Result) string {
	snippet := plainText(r.Snippet)
	if _, input, ok := strings.Cut(r.Title, " "); ok {
		if _, after, ok := strings.Cut(snippet, input); ok {
			snippet = after
		}
	}
	return r.Title + "  " + snippet
}

// plainText removes the marks and the HTML escapes from a snippet.
func plainText(snippet string) string {
	return strings.NewReplacer("<mark>", "", "</mark>", "", "&lt;", "<", "&gt;", ">", "&amp;", "&", "&#34;", `"`, "&#39;",
		"'").Replace(snippet)
}

// oneLine returns s in one line of at most n characters.
func oneLine(s string, n int) string {
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return s
}

func indent(s string) string {
	if s == "" {
		return ""
	}
	return "   " + strings.ReplaceAll(strings.TrimSpace(s), "\n", "\n   ") + "\n"
}
