package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"keepmum/api"
	"keepmum/config"
	"keepmum/daemon"
	"keepmum/home"
	"keepmum/llm/ollamatest"
	"keepmum/privacy/leak"
)

// leakReport is the result of a leak test.
type leakReport struct {
	OK     bool        `json:"ok"`
	Groups []leakGroup `json:"groups"`
	Leaks  []foundLeak `json:"leaks,omitempty"`
	Events int         `json:"events"` // posted as an agent's hook would
	Files  int         `json:"files"`  // searched
	Bytes  int64       `json:"bytes"`  // in these files
	Sent   int         `json:"sent"`   // bytes that reached the recording model
	Asked  int         `json:"asked"`  // questions in these bytes
}

// leakGroup counts the plants of one kind.
type leakGroup struct {
	Name    string `json:"name"`
	Planted int    `json:"planted"`
	Leaked  int    `json:"leaked"`
}

// foundLeak names the plant, never its value.
type foundLeak struct {
	Plant string `json:"plant"`
	Form  string `json:"form"`
	Where string `json:"where"`
}

// runLeakTest plants invented secrets in its own data directory, and searches every byte that is left for them.
func (a *app) runLeakTest(ctx context.Context, asJSON bool) error {
	root, err := os.MkdirTemp("", "mum-leak-test-")
	if err != nil {
		return fmt.Errorf("make a directory for the leak test: %w", err)
	}
	defer func() { _ = os.RemoveAll(root) }()
	bar := a.newBar(asJSON)
	report, err := leakTest(ctx, root, leakPlants(filepath.Join(root, "project")), bar)
	bar.clear()
	_ = os.RemoveAll(root) // before anything is printed: the reader may close the pipe
	if err != nil {
		return err
	}
	if asJSON {
		err = a.printJSON(report)
	} else {
		a.printLeaks(report)
	}
	if err == nil && !report.OK {
		err = &exitError{code: exitFailure, err: errors.New("")}
	}
	return err
}

func (a *app) printLeaks(r leakReport) {
	for _, g := range r.Groups {
		a.printf("%-28s %4d planted, %d leaked\n", g.Name, g.Planted, g.Leaked)
	}
	a.printf("read %s with %d bytes, and %d bytes that a model was sent in %s\n", count(r.Files, "file"), r.Bytes,
		r.Sent, count(r.Asked, "question"))
	for _, l := range r.Leaks {
		a.printf("LEAK %s: %s in %s\n", l.Plant, l.Form, l.Where)
	}
	if r.OK {
		a.printf("no leak\n")
	}
}

// leakScene is where the leak test runs: all its files are below one root.
type leakScene struct {
	home          home.Dir
	user, project string
	model         *ollamatest.Server
	log           bytes.Buffer
	bar           *bar
}

func leakTest(ctx context.Context, root string, plants []plant, bar *bar) (leakReport, error) {
	s := &leakScene{bar: bar, home: home.Dir(filepath.Join(root, "mum")), user: filepath.Join(root, "user"),
		project: filepath.Join(root, "project")}
	s.model = ollamatest.New(
		ollamatest.Options{
			Models: []ollamatest.Model{{Name: "recorder", Context: 8192, Capabilities: []string{"completion"}}}})
	defer s.model.Close()
	if err := s.prepare(); err != nil {
		return leakReport{}, err
	}
	if err := s.play(ctx, plants); err != nil {
		return leakReport{}, err
	}
	return s.judge(plants)
}

// prepare writes the files that the daemon finds on the machine on its own.
func (s *leakScene) prepare() error {
	if _, err := home.Prepare(s.home); err != nil {
		return err
	}
	for path, text := range map[string]string{
		filepath.Join(s.project, ".env"): "PORT=3000\nDB_PASSWORD=" + knownValue(".env") + "\n",
		filepath.Join(s.user, ".netrc"):  "machine h login u password " + knownValue(".netrc") + "\n",
		filepath.Join(s.project, ".git/config"): "[remote \"origin\"]\n\turl = https://dev:" + inventedToken("remote") +
			"@example.com/dev/shop.git\n",
		filepath.Join(s.project, ".git/HEAD"): "ref: refs/heads/fix/" + inventedToken("branch") + "\n",
	} {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return fmt.Errorf("prepare the leak test: %w", err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			return fmt.Errorf("prepare the leak test: %w", err)
		}
	}
	return nil
}

// play runs a daemon, posts every plant, and has everything summarised.
func (s *leakScene) play(ctx context.Context, plants []plant) error {
	c := config.Loaded{Config: config.Default()}
	c.Daemon.Port = 0
	c.Compress.Provider, c.Compress.URL, c.Compress.Model, c.Compress.PerMinute = "ollama", s.model.URL, "recorder", 1<<20
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	done := make(chan error, 1)
	go func() {
		done <- daemon.New(daemon.Options{Home: s.home, Config: c, UserHome: s.user,
			Env: []string{"SHOP_TOKEN=" + knownValue("environment")}, Version: version(),
			Logger: slog.New(slog.NewJSONHandler(&s.log, &slog.HandlerOptions{Level: slog.LevelDebug}))}).Run(ctx)
	}()
	if _, err := waitUp(ctx, s.home, c); err != nil {
		stop()
		return errOr(<-done, err)
	}
	err := s.post(ctx, api.NewClient(string(s.home), ""), plants)
	stop()
	return errOr(<-done, err)
}

func (s *leakScene) post(ctx context.Context, client *api.Client, plants []plant) error {
	for i, p := range plants {
		s.bar.show(api.RunEvent{Phase: "plant", Done: i + 1, Total: len(plants)})
		for _, body := range p.payloads {
			resp, err := client.Send(ctx, http.MethodPost, "/hooks/claude", bytes.NewReader(body))
			if refused := (*api.Error)(nil); errors.As(err, &refused) {
				continue // nothing is stored of a refused event; the scan will tell
			}
			if err != nil {
				return err
			}
			_, _ = io.Copy(io.Discard, resp.Body) // what an agent is told comes from the disk, which is searched
			_ = resp.Body.Close()
		}
	}
	return s.summariseAll(ctx, client)
}

// summariseAll has the model do every waiting job.
func (s *leakScene) summariseAll(ctx context.Context, client *api.Client) error {
	if err := client.Post(ctx, "/compress", api.CompressRequest{}, nil); err != nil {
		return err
	}
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for total := int64(0); ; {
		var status api.Status
		if err := client.Get(ctx, "/status", nil, &status); err != nil {
			return err
		}
		left := status.Queue["pending"] + status.Queue["leased"] + status.Queue["failed"]
		if left == 0 {
			return nil
		}
		total = max(total, left)
		s.bar.show(api.RunEvent{Phase: "ask", Done: int(total - left), Total: int(total)})
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
	}
}

// judge searches the disk, the log, and what was sent to the model.
func (s *leakScene) judge(plants []plant) (leakReport, error) {
	secrets := make([]leak.Secret, 0, len(plants))
	for _, p := range plants {
		secrets = append(secrets, leak.Secret{Name: p.name(), Value: p.secret})
	}
	scanner := leak.NewScanner(secrets)
	tree, err := scanner.Dir(string(s.home))
	if err != nil {
		return leakReport{}, err
	}
	sent := s.model.Received()
	hits := append(tree.Hits, scanner.Bytes("what the model was sent", sent)...)
	hits = append(hits, scanner.Bytes("the log", s.log.Bytes())...)
	r := leakReport{OK: len(hits) == 0, Files: tree.Files, Bytes: tree.Bytes, Sent: len(sent), Asked: len(s.model.Chats())}
	if r.Bytes == 0 || r.Asked == 0 {
		return r, errors.New("the leak test stored or sent nothing, so it proves nothing")
	}
	leaked := map[string]bool{}
	for _, h := range hits {
		leaked[h.Secret] = true
		r.Leaks = append(r.Leaks, foundLeak{h.Secret, h.Form, h.Where})
	}
	r.count(plants, leaked)
	return r, nil
}

func (r *leakReport) count(plants []plant, leaked map[string]bool) {
	at := map[string]int{}
	for _, p := range plants {
		n, seen := at[p.group]
		if !seen {
			n = len(r.Groups)
			at[p.group] = n
			r.Groups = append(r.Groups, leakGroup{Name: p.group})
		}
		r.Groups[n].Planted++
		r.Events += len(p.payloads)
		if leaked[p.name()] {
			r.Groups[n].Leaked++
		}
	}
}
