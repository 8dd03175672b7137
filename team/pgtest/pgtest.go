// Package pgtest runs a real PostgreSQL for tests: one server per test binary, one database per test.
package pgtest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"keepmum/budget"
	"keepmum/freeport"
)

// Env names the directory of initdb and postgres. Tests that need them are skipped if it is not set.
const Env = "MUM_TEST_PG"

// Password is the superuser's.
const Password = "test-only"

// Server is a PostgreSQL on loopback.
type Server struct {
	Dir   string
	Port  int
	cmd   *exec.Cmd
	ended <-chan struct{} // closed when the server has ended
	dbs   atomic.Int64
}

var running *Server // the one server of a test binary

// Main runs the tests of a package with a server; call it from TestMain. It exits the process, and first removes the
// directories in made.
func Main(m *testing.M, made ...string) {
	code := around(m)
	for _, dir := range made {
		_ = os.RemoveAll(dir)
	}
	os.Exit(code)
}

func around(m *testing.M) int {
	if os.Getenv(Env) == "" {
		return m.Run()
	}
	s, err := start()
	if err != nil {
		fmt.Fprintln(os.Stderr, "start PostgreSQL:", err)
		return 1
	}
	running = s
	defer s.stop()
	return m.Run()
}

// Database creates an empty database and returns the superuser's DSN for it.
func Database(t testing.TB) string {
	t.Helper()
	if running == nil {
		t.Skip("no PostgreSQL: make test-team")
	}
	name := fmt.Sprintf("team%d", running.dbs.Add(1))
	Exec(t, running.DSN("postgres"), "CREATE DATABASE "+name)
	return running.DSN(name)
}

// Data returns the server's data directory.
func Data() string { return filepath.Join(running.Dir, "data") }

// Port returns the port on which the server listens.
func Port() int { return running.Port }

// DSN returns the superuser's DSN for a database.
func (s *Server) DSN(database string) string {
	return fmt.Sprintf("postgres://postgres:%s@127.0.0.1:%d/%s", Password, s.Port, database)
}

// Exec runs SQL and returns its rows as text.
func Exec(t testing.TB, dsn, sql string) [][]string {
	t.Helper()
	rows, err := Try(dsn, sql)
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	return rows
}

// Try runs SQL that may be refused.
func Try(dsn, sql string) ([][]string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), budget.Of(time.Minute))
	defer cancel()
	c, err := pgconn.Connect(ctx, dsn)
	if err != nil {
		return nil, err
	}
	defer func() { _ = c.Close(ctx) }()
	results, err := c.Exec(ctx, sql).ReadAll()
	var out [][]string
	for _, res := range results {
		for _, r := range res.Rows {
			row := make([]string, len(r))
			for i, v := range r {
				row[i] = string(v)
			}
			out = append(out, row)
		}
	}
	return out, err
}

func start() (*Server, error) {
	dir, err := os.MkdirTemp("", "mum-pg")
	if err != nil {
		return nil, err
	}
	s := &Server{Dir: dir}
	if err := errors.Join(os.WriteFile(filepath.Join(dir, "pw"), []byte(Password+"\n"), 0o644),
		unprivileged(dir)); err != nil {
		return nil, err
	}
	data := filepath.Join(dir, "data")
	init := s.command("initdb", "-D", data, "-U", "postgres", "-A", "scram-sha-256", "--pwfile", filepath.Join(dir, "pw"),
		"--no-sync", "-E", "UTF8", "--locale=C")
	if out, err := init.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w: %s", err, out)
	}
	for range portTries {
		if s.Port, err = freeport.Find(); err != nil {
			break
		}
		if err = s.run(); err == nil {
			return s, nil
		}
	}
	log, _ := os.ReadFile(filepath.Join(dir, "log"))
	return nil, fmt.Errorf("%w: %s", err, log)
}

// portTries is how many ports are tried: another program may take one between the check and its use.
const portTries = 3

// startTime is how long the server may take to answer. It usually takes a second or two, longer on a busy machine.
const startTime = 2 * time.Minute

// run starts the server and waits until it answers or has ended.
func (s *Server) run() error {
	s.cmd = s.command("postgres", "-D", filepath.Join(s.Dir, "data"), "-p", strconv.Itoa(s.Port),
		"-h", "127.0.0.1", "-k", s.Dir,
		"-c", "fsync="+or(os.Getenv("MUM_TEST_PG_FSYNC"), "off"), "-c", "max_connections=300", "-c", "logging_collector=off")
	log, err := os.Create(filepath.Join(s.Dir, "log"))
	if err != nil {
		return err
	}
	s.cmd.Stdout, s.cmd.Stderr = log, log
	if err := s.cmd.Start(); err != nil {
		return err
	}
	ended := make(chan struct{})
	s.ended = ended
	go func(cmd *exec.Cmd) {
		_ = cmd.Wait() // its log says why
		close(ended)
	}(s.cmd)
	deadline := time.Now().Add(budget.Of(startTime))
	for time.Now().Before(deadline) {
		if _, err = Try(s.DSN("postgres"), "SELECT 1"); err == nil {
			return nil
		}
		select {
		case <-ended:
			return errors.New("the server ended")
		case <-time.After(50 * time.Millisecond):
		}
	}
	s.end()
	return err
}

// end ends the server as a power cut would.
func (s *Server) end() {
	_ = s.cmd.Process.Signal(syscall.SIGQUIT)
	<-s.ended
}

func or(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

func (s *Server) stop() {
	s.end() // immediately: the data is not needed
	_ = os.RemoveAll(s.Dir)
}

// Kill ends the server as a power cut would, and starts it again.
func Kill(t testing.TB) {
	t.Helper()
	running.end()
	if err := running.run(); err != nil {
		t.Fatal(err)
	}
}

func (s *Server) command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(filepath.Join(os.Getenv(Env), name), args...)
	cmd.Dir = s.Dir
	asNobody(cmd)
	return cmd
}

// Command returns a command that runs as the server's user.
func Command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Dir = running.Dir
	asNobody(cmd)
	return cmd
}
