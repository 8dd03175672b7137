package team

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// program is mum itself with a home and a repository.
type program struct {
	t                     testing.TB
	path, home, directory string
}

func newProgram(t testing.TB) *program {
	t.Helper()
	dir, err := os.MkdirTemp("", "mum") // short, because the path of a socket is limited to 107 bytes
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	p := &program{t, filepath.Join(dir, "mum"), filepath.Join(dir, "home"), filepath.Join(dir, "repository")}
	p.command("go", "build", "-o", p.path, "keepmum/cmd/mum")
	config := filepath.Join(p.home, ".mum", "config.toml")
	err = errors.Join(os.MkdirAll(filepath.Dir(config), 0o700), os.MkdirAll(p.directory, 0o700),
		os.WriteFile(config, []byte("[daemon]\nport = 0\n"), 0o600))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func (p *program) command(name string, args ...string) []byte {
	p.t.Helper()
	cmd := exec.Command(name, args...)
	out, err := cmd.Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			p.t.Fatalf("%s %v: %v: %s", name, args, err, exit.Stderr)
		}
		p.t.Fatal(err)
	}
	return out
}

// git turns the directory into a repository with a remote.
func (p *program) git(remote string) {
	p.t.Helper()
	p.command("git", "-C", p.directory, "init", "-q")
	p.command("git", "-C", p.directory, "remote", "add", "origin", remote)
}

// run runs mum in the repository.
func (p *program) run(args ...string) []byte {
	p.t.Helper()
	cmd := exec.Command(p.path, args...)
	cmd.Dir = p.directory
	cmd.Env = append(os.Environ(), "HOME="+p.home, "PGPASSFILE="+filepath.Join(p.home, ".pgpass"))
	out, err := cmd.Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			p.t.Fatalf("mum %v: %v: %s", args, err, exit.Stderr)
		}
		p.t.Fatal(err)
	}
	return out
}
