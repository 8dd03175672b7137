//go:build !windows

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// uninstall runs install.sh in its own home and returns what it printed.
func uninstall(t *testing.T, root string, args ...string) (string, error) {
	t.Helper()
	cmd := exec.Command("sh", append([]string{openedByTest(t, "../../install.sh"), "--uninstall"}, args...)...)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + root, "PREFIX=" + root,
		"MUM_HOME=" + filepath.Join(root, "data"), "MUM_DAEMON__PORT=0"}
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func TestPurgeAloneInstallsNothing(t *testing.T) {
	root := t.TempDir()
	cmd := exec.Command("sh", openedByTest(t, "../../install.sh"), "--purge", "--yes")
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + root}
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState.ExitCode() != 2 || !strings.Contains(string(out), "--purge goes with --uninstall") {
		t.Errorf("%v\n%s", err, out)
	}
	if made, err := os.ReadDir(root); err != nil || len(made) > 0 {
		t.Errorf("it made %v, %v", made, err)
	}
}

func TestUninstallKeepsWhatWasRememberedUntilPurge(t *testing.T) {
	root := t.TempDir()
	data := filepath.Join(root, "data")
	program := filepath.Join(root, "bin", "mum")
	for _, dir := range []string{data, filepath.Dir(program)} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(binary, program); err != nil {
		t.Fatal(err)
	}
	own := filepath.Join(data, "thesis.txt")
	if err := os.WriteFile(own, []byte("years of work"), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := uninstall(t, root, "--purge"); err == nil || !strings.Contains(out, "contains no data of keepmum") {
		t.Errorf("a directory of somebody else: %v\n%s", err, out)
	}
	if _, err := os.Stat(own); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(data, "memory.db"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := uninstall(t, root)
	if err != nil || !strings.Contains(out, "there was no program") || !strings.Contains(out, "stay in "+data) {
		t.Errorf("%v\n%s", err, out)
	}
	if _, err := os.Stat(own); err != nil {
		t.Fatal(err)
	}
	if out, err := uninstall(t, root, "--purge"); err != nil || !strings.Contains(out, "removed "+data) {
		t.Errorf("%v\n%s", err, out)
	}
	if _, err := os.Stat(data); !os.IsNotExist(err) {
		t.Errorf("the data is there after --purge: %v", err)
	}
}

// install runs install.sh at a terminal, in its own home, with a go command that returns the program that is already
// built. It types the answer when it is asked.
func install(t *testing.T, root, answer string) string {
	t.Helper()
	script, err := exec.LookPath("script")
	if err != nil {
		t.Skip("no script(1), which makes a terminal")
	}
	tools := filepath.Join(root, "tools")
	if err := os.MkdirAll(tools, 0o700); err != nil {
		t.Fatal(err)
	}
	const fake = "#!/bin/sh\ncase $1 in env) echo go1.99.0 ;; build) while [ \"$1\" != -o ]; do shift; done; cp " +
		"\"$MUM_BUILT\" \"$2\" ;; esac\n"
	if err := os.WriteFile(filepath.Join(tools, "go"), []byte(fake), 0o700); err != nil {
		t.Fatal(err)
	}
	data := filepath.Join(root, "data")
	stopAtEnd(t, data)
	cmd := exec.Command(script, "-qec", "sh "+openedByTest(t, "../../install.sh")+" --no-demo", os.DevNull)
	cmd.Env = []string{"PATH=" + tools + ":/usr/bin:/bin", "HOME=" + root, "PREFIX=" + root, "MUM_HOME=" + data,
		"MUM_BUILT=" + binary,
		"MUM_DAEMON__PORT=0", "MUM_COMPRESS__PROVIDER=off", "SHELL=/bin/sh"}
	cmd.Stdin = strings.NewReader(answer)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return string(out)
}

// TestInstallAsksAboutAgentsThatItFound checks that install.sh also says at its end what only the user can do.
func TestInstallAsksAboutAgentsThatItFound(t *testing.T) {
	root := t.TempDir()
	out := install(t, root, "")
	if strings.Contains(out, "Connect them?") ||
		!strings.Contains(out, "agents: no coding agent was found on this machine") {
		t.Errorf("nothing is there to be connected:\n%s", out)
	}
	if err := os.Mkdir(filepath.Join(root, ".codex"), 0o700); err != nil {
		t.Fatal(err)
	}
	out = install(t, root, "d\ny\n")
	_, end, asked := strings.Cut(out, "Connect them? [Y/n")
	if _, end, _ = strings.Cut(end, "connected: codex"); !asked ||
		!strings.Contains(out, "+++ ") ||
		!strings.Contains(end, "codex captures nothing until you trust its hooks: start codex") {
		t.Errorf("one is there:\n%s", out)
	}
	if out := install(t, root, ""); strings.Contains(out, "Connect them?") {
		t.Errorf("it is connected:\n%s", out)
	}
}
