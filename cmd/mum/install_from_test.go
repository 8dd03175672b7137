//go:build !windows

package main

import (
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"keepmum/longtest"
)

// aScript takes the place of a program that nobody runs.
const aScript = "#!/bin/sh\nexit 0\n"

// released creates a folder as make release does, with an archive of this mum for this system, and returns it with the
// name of the archive.
func released(t *testing.T, program []byte) (dir, name string) {
	t.Helper()
	dir = t.TempDir()
	top := "keepmum_9.9.9_" + runtime.GOOS + "_" + runtime.GOARCH
	name = top + ".tar.gz"
	script, err := os.ReadFile("../../install.sh")
	if err != nil {
		t.Fatal(err)
	}
	putFile(t, filepath.Join(dir, top, "install.sh"), script, 0o755)
	putFile(t, filepath.Join(dir, top, "mum"), program, 0o755)
	putFile(t, filepath.Join(dir, top, "mum-hook"), []byte(aScript), 0o755)
	putFile(t, filepath.Join(dir, top, "man", "man1", "mum.1"), []byte("a page"), 0o644)
	putFile(t, filepath.Join(dir, top, "completions", "mum.bash"), []byte("# none"), 0o644)
	pack := exec.Command("sh", "-c", `tar -cf - "$0" | gzip -1 >"$1"`, top, name) // -1: in a third of the time
	pack.Dir = dir
	if out, err := pack.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	data, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	putFile(t, filepath.Join(dir, "SHA256SUMS"), fmt.Appendf(nil, "%x  %s\n", sha256.Sum256(data), name), 0o644)
	return dir, name
}

func putFile(t *testing.T, file string, data []byte, mode os.FileMode) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, data, mode); err != nil {
		t.Fatal(err)
	}
}

// installAs runs a script in a fresh home in which the only go fails.
func installAs(t *testing.T, script string, args ...string) (root, out string, err error) {
	t.Helper()
	root = t.TempDir()
	putFile(t, filepath.Join(root, "tools", "go"), []byte("#!/bin/sh\necho go was called\nexit 97\n"), 0o755)
	stopAtEnd(t, filepath.Join(root, ".mum"))
	cmd := exec.Command("sh", append([]string{script, "--no-demo"}, args...)...)
	cmd.Env = []string{"PATH=" + root + "/tools:/usr/bin:/bin", "HOME=" + root, "MUM_DAEMON__PORT=0",
		"MUM_COMPRESS__PROVIDER=off"}
	said, err := cmd.CombinedOutput()
	return root, string(said), err
}

// TestInstallFromAnArchive covers each form of --from, and an unpacked archive, without Go.
func TestInstallFromAnArchive(t *testing.T) {
	longtest.Only(t) // packing and unpacking the program takes seconds
	program, err := os.ReadFile(binary)
	if err != nil {
		t.Fatal(err)
	}
	dir, name := released(t, program)
	server := httptest.NewServer(http.FileServer(http.Dir(dir)))
	defer server.Close()
	unpacked := filepath.Join(dir, strings.TrimSuffix(name, ".tar.gz"))
	const here = "../../install.sh"
	for _, test := range []struct{ script, from string }{
		{here, dir}, {here, filepath.Join(dir, name)}, {here, server.URL}, {here, server.URL + "/" + name},
		{here, unpacked}, {filepath.Join(unpacked, "install.sh"), ""},
	} {
		var args []string
		if test.from != "" {
			args = []string{"--from", test.from}
		}
		root, out, err := installAs(t, test.script, args...)
		if err != nil || !strings.Contains(out, "keepmum is ready") || strings.Contains(out, "go was called") {
			t.Errorf("%s --from %q: %v\n%s", test.script, test.from, err, out)
			continue
		}
		for _, file := range []string{"bin/mum", "bin/mum-hook", "share/man/man1/mum.1"} {
			if _, err := os.Stat(filepath.Join(root, ".local", file)); err != nil {
				t.Errorf("--from %q: %v", test.from, err)
			}
		}
	}
}

// TestInstallRefusesWhatItCannotCheck checks that nothing is installed, and that the reason is printed.
func TestInstallRefusesWhatItCannotCheck(t *testing.T) {
	dir, name := released(t, []byte(aScript))
	sums := filepath.Join(dir, "SHA256SUMS")
	const here = "../../install.sh"
	alone := filepath.Join(t.TempDir(), "install.sh")
	script, err := os.ReadFile(here)
	if err != nil {
		t.Fatal(err)
	}
	putFile(t, alone, script, 0o755)
	refused := func(want, script string, args ...string) {
		t.Helper()
		root, out, err := installAs(t, script, args...)
		if err == nil || !strings.Contains(out, want) {
			t.Errorf("%v: %v, want %q\n%s", args, err, want, out)
		}
		if _, err := os.Stat(filepath.Join(root, ".local", "bin", "mum")); err == nil {
			t.Errorf("%v: installed all the same", args)
		}
	}
	archive := filepath.Join(dir, name)
	refused("does not have the checksum", here, "--from", archive, "--sha256", strings.Repeat("0", 64))
	refused("is not https", here, "--from", "http://mum.invalid/"+name)
	refused("does not exist", here, "--from", filepath.Join(dir, "none.tar.gz"))
	refused("--from keepmum_VERSION_", alone)
	putFile(t, sums, []byte(strings.Repeat("0", 64)+"  "+name+"\n"), 0o644)
	refused("does not have the checksum", here, "--from", dir)
	putFile(t, sums, []byte(strings.Repeat("0", 64)+"  another.tar.gz\n"), 0o644)
	refused("has no line for", here, "--from", archive)
	if err := os.Remove(sums); err != nil {
		t.Fatal(err)
	}
	refused("there is no SHA256SUMS", here, "--from", archive)
}
