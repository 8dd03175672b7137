//go:build unix

package team

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"keepmum/api"
	"keepmum/team/pgtest"
)

// program is mum, built once.
var program string

func TestMain(m *testing.M) {
	if os.Getenv(pgtest.Env) == "" {
		os.Exit(m.Run())
	}
	dir, err := os.MkdirTemp("", "mum-e2e")
	if err != nil {
		panic(err)
	}
	program = filepath.Join(dir, "mum")
	if out, err := exec.Command("go", "build", "-o", program, "keepmum/cmd/mum").CombinedOutput(); err != nil {
		panic(string(out))
	}
	pgtest.Main(m, dir)
}

// shop is the remote of the repository that all machines have, and shopKey how the team knows it.
const shop, shopKey = "https://git.example/acme/shop.git", "git.example/acme/shop"

// machine is a home with a daemon, and a repository.
type machine struct {
	t          testing.TB
	name       string
	home, repo string
}

func newMachine(t testing.TB, name string, remotes ...string) *machine {
	t.Helper()
	dir, err := os.MkdirTemp("", "mum") // short: a socket's path has 107 bytes
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	m := &machine{t, name, filepath.Join(dir, "home"), filepath.Join(dir, "shop")}
	config := filepath.Join(m.home, ".mum", "config.toml")
	err = errors.Join(os.MkdirAll(filepath.Dir(config), 0o700), os.MkdirAll(m.repo, 0o700),
		os.WriteFile(config, []byte("[daemon]\nport = 0\n"), 0o600))
	if err != nil {
		t.Fatal(err)
	}
	m.git("init", "-q")
	for i, r := range remotes {
		m.git("remote", "add", []string{"origin", "upstream"}[i], r)
	}
	m.mum("up")
	t.Cleanup(func() { m.try("down") })
	return m
}

func (m *machine) git(args ...string) {
	m.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env = m.repo, append(os.Environ(), "HOME="+m.home)
	if out, err := cmd.CombinedOutput(); err != nil {
		m.t.Fatalf("git %v: %v: %s", args, err, out)
	}
}

func (m *machine) command(args ...string) *exec.Cmd {
	cmd := exec.Command(program, args...)
	cmd.Dir = m.repo
	cmd.Env = []string{"HOME=" + m.home, "PATH=" + os.Getenv("PATH"), "MUM_PATIENCE=" + os.Getenv("MUM_PATIENCE")}
	return cmd
}

// try runs mum and returns what it printed, and what it said on standard error.
func (m *machine) try(args ...string) (out, said string, err error) {
	m.t.Helper()
	cmd := m.command(args...)
	var o, e bytes.Buffer
	cmd.Stdout, cmd.Stderr = &o, &e
	err = cmd.Run()
	return o.String(), e.String(), err
}

func (m *machine) mum(args ...string) string {
	m.t.Helper()
	out, said, err := m.try(args...)
	if err != nil {
		m.t.Fatalf("%s: mum %s: %v\n%s%s", m.name, strings.Join(args, " "), err, out, said)
	}
	return out
}

// ask runs mum with --json and reads the answer.
func ask[T any](m *machine, args ...string) (out T) {
	m.t.Helper()
	text := m.mum(append(args, "--json")...)
	if err := json.Unmarshal([]byte(text), &out); err != nil {
		m.t.Fatalf("%s: mum %v: %v in %s", m.name, args, err, text)
	}
	return out
}

func (m *machine) sync() api.TeamSynced {
	m.t.Helper()
	return ask[api.TeamSynced](m, "team", "sync")
}

// fact writes a memory of one sentence.
func (m *machine) fact(text string) {
	m.t.Helper()
	if out := m.mum("memory", "add", text, "--kind", "fact", "--new"); !strings.Contains(out, "written:") {
		m.t.Fatalf("%s: %s", m.name, out)
	}
}

// facts are the titles of all memories in force that this machine has of its project.
func (m *machine) facts() []string {
	m.t.Helper()
	out := []string{}
	for _, r := range ask[api.MemoryList](m, "memory", "list", "--limit", "1000").Memories {
		out = append(out, r.Title)
	}
	slices.Sort(out)
	return out
}

// has compares them.
func (m *machine) has(want ...string) {
	m.t.Helper()
	want = append([]string{}, want...)
	slices.Sort(want)
	if diff := cmp.Diff(want, m.facts()); diff != "" {
		m.t.Errorf("%s: %s", m.name, diff)
	}
}

// forget forgets the memory of a title.
func (m *machine) forget(title string) {
	m.t.Helper()
	for _, r := range ask[api.MemoryList](m, "memory", "list", "--limit", "1000").Memories {
		if r.Title == title {
			m.mum("memory", "forget", strconv.FormatInt(r.Entry, 10), "--yes")
			return
		}
	}
	m.t.Fatalf("%s has no %q", m.name, title)
}

// kill ends the daemon as a power cut would.
func (m *machine) kill() {
	m.t.Helper()
	pid := ask[api.Status](m, "status").PID
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		m.t.Fatal(err)
	}
}

// holding are the files of a directory that hold any of some texts.
func holding(t testing.TB, dir string, texts ...string) (found []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) || err == nil && !e.Type().IsRegular() {
			return nil
		}
		if err != nil {
			return err
		}
		data, err := os.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) { // a server's files come and go
			return nil
		}
		for _, text := range texts {
			if bytes.Contains(bytes.ToLower(data), []byte(strings.ToLower(text))) {
				found = append(found, path+" holds "+text)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// team is a database with a team, and who joined it.
type team struct {
	t     testing.TB
	owner string // DSN
	admin *machine
	dsns  map[string]string // by member
}

// newTeam makes the team and invites members. The owner works at a machine of their own.
func newTeam(t testing.TB, members ...string) *team {
	t.Helper()
	c := &team{t, pgtest.Database(t), newMachine(t, "owner"), map[string]string{}}
	c.admin.mum("team", "init", c.owner, "--team", "acme")
	for _, name := range members {
		c.dsns[name] = ask[struct {
			DSN string `json:"dsn"`
		}](c.admin, "team", "invite", name, "--admin", c.owner).DSN
	}
	return c
}

// machine joins with a new machine that has the repository, and shares it.
func (c *team) machine(member, name string) *machine {
	c.t.Helper()
	m := newMachine(c.t, name, shop)
	m.mum("team", "join", c.dsns[member], "--as", name)
	m.mum("team", "share")
	m.sync()
	return m
}

// rest exchanges until nothing changes any more.
func rest(list ...*machine) {
	for range 8 {
		quiet := true
		for _, m := range list {
			quiet = m.sync() == api.TeamSynced{} && quiet
		}
		if quiet {
			return
		}
	}
	list[0].t.Helper()
	list[0].t.Error("the machines do not come to rest")
}

// watch runs mum team sync --watch, and returns what it prints, without spaces, and what ends it as Ctrl+C does.
func (m *machine) watch() (lines chan string, stop func() error) {
	m.t.Helper()
	cmd := m.command("team", "sync", "--watch", "--json")
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		m.t.Fatal(err)
	}
	lines = make(chan string, 1000)
	read := make(chan struct{})
	go func() {
		defer close(read)
		for s := bufio.NewScanner(out); s.Scan(); {
			lines <- strings.ReplaceAll(s.Text(), " ", "")
		}
	}()
	return lines, func() error {
		if err := cmd.Process.Signal(os.Interrupt); err != nil {
			return err
		}
		<-read
		return cmd.Wait()
	}
}
