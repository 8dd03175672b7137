//go:build unix

package team

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"keepmum/await"
	"keepmum/freeport"
	"keepmum/store"
	"keepmum/team/pgtest"
)

// patroni runs two servers, one following the other synchronously, and etcd, which knows the leader.
type patroni struct {
	t       *testing.T
	dir     string
	program string
	etcd    int // port
	ports   []int
	run     []*exec.Cmd
}

// newPatroni starts them for make test-failover.
func newPatroni(t *testing.T) *patroni {
	t.Helper()
	p := &patroni{t: t, program: os.Getenv("MUM_TEST_PATRONI")}
	if p.program == "" || os.Getenv(pgtest.Env) == "" {
		t.Skip("no Patroni: make test-failover")
	}
	etcd, err := exec.LookPath("etcd")
	if err != nil {
		t.Fatal(err)
	}
	if p.dir, err = os.MkdirTemp("", "mum-patroni"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(p.dir) })
	if err := os.Chmod(p.dir, 0o777); err != nil { //nolint:gosec // the servers run as another user
		t.Fatal(err)
	}
	p.etcd = freeport.For(t)
	client, peer := fmt.Sprintf("http://127.0.0.1:%d", p.etcd), fmt.Sprintf("http://127.0.0.1:%d", freeport.For(t))
	p.start("etcd", etcd, "--data-dir", filepath.Join(p.dir, "etcd"), "--listen-client-urls", client,
		"--advertise-client-urls", client, "--listen-peer-urls", peer, "--initial-advertise-peer-urls", peer,
		"--initial-cluster", "default="+peer)
	for i := range 2 {
		p.ports = append(p.ports, freeport.For(t))
		p.server(i)
		p.await(fmt.Sprintf("server %d", i), i, `SELECT 1`, "1")
	}
	p.await("a synchronous standby", 0, `SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'`, "1")
	return p
}

// start runs a program as the servers' user until the test ends.
func (p *patroni) start(name, program string, args ...string) *exec.Cmd {
	p.t.Helper()
	cmd := pgtest.Command(program, args...)
	log, err := os.Create(filepath.Join(p.dir, name+".log"))
	if err != nil {
		p.t.Fatal(err)
	}
	cmd.Stdout, cmd.Stderr, cmd.Dir = log, log, p.dir
	cmd.Env = append(os.Environ(), "HOME="+p.dir)
	if err := cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() { _ = cmd.Process.Signal(syscall.SIGTERM); _ = cmd.Wait(); _ = log.Close() })
	return cmd
}

// server starts server i with its Patroni.
func (p *patroni) server(i int) {
	p.t.Helper()
	name := fmt.Sprintf("pg%d", i)
	config := fmt.Sprintf(`{"scope": "team", "name": %[1]q, "etcd3": {"host": "127.0.0.1:%[2]d"},
"restapi": {"listen": "127.0.0.1:%[3]d", "connect_address": "127.0.0.1:%[3]d"},
"bootstrap": {"dcs": {"ttl": 10, "loop_wait": 1, "retry_timeout": 3, "synchronous_mode": true,
  "postgresql": {"parameters": {"max_connections": 50, "unix_socket_directories": ""}}},
  "initdb": [{"encoding": "UTF8"}, {"locale": "C"}]},
"postgresql": {"listen": "127.0.0.1:%[4]d", "connect_address": "127.0.0.1:%[4]d", "data_dir": %[5]q, "bin_dir": %[6]q,
  "pgpass": %[7]q, "pg_hba": ["host replication all 127.0.0.1/32 scram-sha-256",
    "host all all 127.0.0.1/32 scram-sha-256"],
  "authentication": {"superuser": {"username": "postgres", "password": %[8]q},
    "replication": {"username": "follower", "password": %[8]q}}}}`, name, p.etcd, freeport.For(p.t), p.ports[i],
		filepath.Join(p.dir, name), os.Getenv(pgtest.Env), filepath.Join(p.dir, name+".pass"), pgtest.Password)
	file := filepath.Join(p.dir, name+".yml") // JSON is valid YAML
	if err := os.WriteFile(file, []byte(config), 0o644); err != nil {
		p.t.Fatal(err)
	}
	p.run = append(p.run, p.start(name, p.program, file))
}

func (p *patroni) dsn(i int) string {
	return fmt.Sprintf("postgres://postgres:%s@127.0.0.1:%d/postgres", pgtest.Password, p.ports[i])
}

// await waits until a server answers a query with the given word.
func (p *patroni) await(what string, i int, sql, want string) {
	p.t.Helper()
	defer func() {
		if p.t.Failed() {
			for _, name := range []string{"etcd", "pg0", "pg1"} {
				log, _ := os.ReadFile(filepath.Join(p.dir, name+".log"))
				p.t.Logf("%s: %s", name, log[max(0, len(log)-2000):])
			}
		}
	}()
	await.True(p.t, what, func() bool {
		rows, err := pgtest.Try(p.dsn(i), sql)
		return err == nil && len(rows) == 1 && rows[0][0] == want
	})
}

// both returns a DSN that names both servers and connects to the leader.
func (p *patroni) both() string {
	q := url.Values{"host": {"127.0.0.1,127.0.0.1"}, "port": {fmt.Sprintf("%d,%d", p.ports[0], p.ports[1])},
		"target_session_attrs": {"read-write"}}
	return "postgres://postgres:" + pgtest.Password + "@/postgres?" + q.Encode()
}

// kill ends a server and its Patroni as a power cut would.
func (p *patroni) kill(i int) {
	p.t.Helper()
	pid, err := os.ReadFile(filepath.Join(p.dir, fmt.Sprintf("pg%d", i), "postmaster.pid"))
	if err != nil {
		p.t.Fatal(err)
	}
	line, _, _ := strings.Cut(string(pid), "\n")
	if err := errors.Join(syscall.Kill(p.run[i].Process.Pid, syscall.SIGKILL),
		syscall.Kill(int(number(line)), syscall.SIGKILL)); err != nil {
		p.t.Fatal(err)
	}
}

// TestAFailoverInTheMiddleOfPushesLosesNothing: what was acknowledged is on the server that takes over, before anyone
// sends it again, and the machines continue there with the same DSN.
func TestAFailoverInTheMiddleOfPushesLosesNothing(t *testing.T) {
	p := newPatroni(t)
	c := newClusterAt(t, p.both(), 2, 1)
	a, b := c.nodes[0], c.nodes[2]
	b.write("of b", "before")
	b.sync()
	written, enough, halted := []string{"active of b: before"}, make(chan struct{}), make(chan error, 1)
	go func() { // writes and sends until the server is gone
		for i := 0; ; i++ {
			if i == 20 {
				close(enough)
			}
			a.write(fmt.Sprintf("fact %d", i), "of a")
			written = append(written, fmt.Sprintf("active fact %d: of a", i))
			if _, err := a.s.Round(t.Context()); err != nil {
				halted <- err
				return
			}
		}
	}()
	<-enough
	p.kill(0)
	t.Logf("%d memories were written until: %v", len(written), <-halted)
	p.await("a new leader", 1, `SELECT pg_is_in_recovery()`, "f")
	items, err := a.db.TeamItems(t.Context(), projectKey)
	if err != nil {
		t.Fatal(err)
	}
	acknowledged := 0
	for _, it := range items {
		if it.State != store.TeamSame || it.Author != "member0" {
			continue
		}
		acknowledged++
		if rows := pgtest.Exec(t, p.dsn(1), fmt.Sprintf(`SELECT 1 FROM mum.items JOIN mum.keys USING (item_id)
			WHERE item_id = '%s' AND hlc >= %d`, idText(it.ID), it.Base)); len(rows) != 1 {
			t.Errorf("%s was acknowledged, and is lost", idText(it.ID))
		}
	}
	if acknowledged < 20 {
		t.Errorf("only %d were acknowledged: the test looks at little", acknowledged)
	}
	b.write("of b", "after")
	written[0] = "active of b: after"
	c.rest()
	c.same(written...)
	if n := pgtest.Exec(t, p.dsn(1), `SELECT count(*) FROM mum.items`)[0][0]; number(n) != int64(len(written)) {
		t.Errorf("%s items for %d memories", n, len(written))
	}
	t.Logf("%d acknowledged before the fail-over, all there after it", acknowledged)
}
