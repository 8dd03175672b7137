package team

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"keepmum/privacy"
)

// The server is verified wherever its name comes from.
func TestAServerOfTheEnvironmentIsVerified(t *testing.T) {
	for _, host := range []string{"", "db.example.com", "127.0.0.1,db.example.com", "localhost", "/run/postgresql"} {
		t.Setenv("PGHOST", host)
		d, err := ParseDSN("postgres://anna@/shop")
		if err != nil {
			t.Fatal(err)
		}
		if want := host == "db.example.com" || host == "127.0.0.1,db.example.com"; d.mustVerify() != want {
			t.Errorf("PGHOST=%s: %v, verified %v", host, d, d.mustVerify())
		}
		if _, err := ParseDSN("postgres://anna@/shop?sslmode=disable"); (err != nil) != d.mustVerify() {
			t.Errorf("PGHOST=%s without TLS: %v", host, err)
		}
	}
}

func TestThePasswordOfASocketIsFound(t *testing.T) {
	file := filepath.Join(t.TempDir(), "pgpass")
	t.Setenv("PGPASSFILE", file)
	for _, at := range []string{"@/shop?host=/srv/pg/sockets", "@db.example.com/shop"} {
		d, err := ParseDSN("postgres://anna:test-only" + at)
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := d.KeepPassword("", func(string) string { return file }); err != nil {
			t.Fatal(err)
		}
		if d, err = ParseDSN("postgres://anna" + at); err != nil || d.config.Password != "test-only" {
			t.Errorf("%s: %v, %q", at, err, d.config.Password)
		}
	}
}

// A role looks like a name to the gate: otherwise the DSN of an invitation could not be stored.
func TestRolesPassTheGate(t *testing.T) {
	gate, err := privacy.New(privacy.Options{})
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(1, 2))
	for i := range 3000 {
		database := []string{"team83", "keepmum", "acme_shop", fmt.Sprintf("team%d", i)}[i%4]
		member := []string{"member0", "anna", "bob-smith"}[i%3]
		role := roleName(database, fmt.Sprintf("%08x", random.Uint32()), member)
		dsn := fmt.Sprintf("postgres://%s@127.0.0.1:%d/%s", role, 1024+random.IntN(60000), database)
		if c, _ := gate.Text(dsn); c.String() != dsn {
			t.Errorf("%s: %s", dsn, c)
		}
	}
}
