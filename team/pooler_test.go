package team

import (
	"context"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"keepmum/await"
	"keepmum/freeport"
	"keepmum/team/pgtest"
)

// pooled starts pgbouncer in transaction mode with two server connections per member, and returns its address.
func pooled(t *testing.T, dsns ...string) string {
	t.Helper()
	program, err := exec.LookPath("pgbouncer")
	if err != nil {
		program = "/usr/sbin/pgbouncer"
	}
	if _, err := os.Stat(program); err != nil || os.Getenv(pgtest.Env) == "" {
		t.Skip("no pgbouncer, or no PostgreSQL")
	}
	port := freeport.For(t)
	users := ""
	for _, text := range dsns {
		u, err := url.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		password, _ := u.User.Password()
		users += fmt.Sprintf("%q %q\n", u.User.Username(), password)
	}
	dir, err := os.MkdirTemp("", "mum-bouncer")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	ini := fmt.Sprintf(`[databases]
* = host=127.0.0.1 port=%d
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = %d
unix_socket_dir =
auth_type = scram-sha-256
auth_file = %s/users
pool_mode = transaction
default_pool_size = 2
`, pgtest.Port(), port, dir)
	for name, text := range map[string]string{"ini": ini, "users": users} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	cmd := pgtest.Command(program, filepath.Join(dir, "ini"))
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	addr := fmt.Sprintf("127.0.0.1:%d", port)
	await.True(t, "pgbouncer", func() bool {
		c, err := net.DialTimeout("tcp", addr, time.Second)
		if err == nil {
			_ = c.Close()
		}
		return err == nil
	})
	return addr
}

func TestAPoolerInTransactionModeIsEnough(t *testing.T) {
	c := newCluster(t)
	admin := c.openAdmin()
	defer admin.Close()
	var dsns []string
	for _, name := range []string{"anna", "ben"} {
		inv, err := admin.Invite(context.Background(), "", name)
		if err != nil {
			t.Fatal(err)
		}
		dsns = append(dsns, inv.DSN)
	}
	addr := pooled(t, dsns...)
	for i, text := range dsns {
		u, err := url.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		u.Host = addr
		c.join(u.String(), []string{"anna", "ben"}[i], "laptop")
		c.join(u.String(), []string{"anna", "ben"}[i], "desk")
	}
	for i, n := range c.nodes {
		n.write(fmt.Sprintf("fact %d", i), "of a machine behind a pooler")
	}
	for range 3 {
		for _, n := range c.nodes {
			n.sync()
		}
	}
	want := c.nodes[0].view()
	if len(want) != 4 {
		t.Errorf("%d items: %v", len(want), want)
	}
	for _, n := range c.nodes[1:] {
		if diff := cmp.Diff(want, n.view()); diff != "" {
			t.Error(diff)
		}
	}
}
