package main

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"keepmum/api"
	"keepmum/await"
	"keepmum/home"
	"keepmum/longtest"
)

// If the data directory was open to all, what another user left in it is not used: not a token that they know, and not
// a link in place of a file that is written.
func TestWhatANeighbourLeftInTheDataDirectoryIsRefused(t *testing.T) {
	victim := func(t *testing.T) string {
		path := filepath.Join(t.TempDir(), "victim")
		write(t, path, "mine")
		return path
	}
	token := strings.Repeat("ab", 32) + "\n"
	for i, c := range []struct {
		name  string
		plant func(t *testing.T, dir home.Dir, victim string) error
	}{
		{"a token that others may write", func(t *testing.T, dir home.Dir, _ string) error {
			write(t, dir.Token(), token)
			return os.Chmod(dir.Token(), 0o666)
		}},
		{"a token that is a link",
			func(_ *testing.T, dir home.Dir, victim string) error { return os.Symlink(victim, dir.Token()) }},
		{"a lock that is a link",
			func(_ *testing.T, dir home.Dir, victim string) error { return os.Symlink(victim, dir.Lock()) }},
		{"the lock of a start that is a link",
			func(_ *testing.T, dir home.Dir, victim string) error { return os.Symlink(victim, dir.StartLock()) }},
		{"a log that is a link",
			func(t *testing.T, dir home.Dir, victim string) error { return os.Symlink(victim, under(t, dir.Log())) }},
		{"a spool that is a link",
			func(t *testing.T, dir home.Dir, _ string) error { return os.Symlink(t.TempDir(), dir.Spool()) }},
		{"a token of another user", func(t *testing.T, dir home.Dir, _ string) error {
			write(t, dir.Token(), token)
			return giveAway(t, dir.Token())
		}},
	} {
		if !longtest.Every(6, i) {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			dir, victim := home.Dir(filepath.Join(t.TempDir(), "data")), victim(t)
			if err := os.Mkdir(string(dir), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := c.plant(t, dir, victim); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = mum(string(dir), "down").Run() }) // none should have started
			if out, err := guarded(t, string(dir), string(promptPayload())).CombinedOutput(); err != nil || len(out) > 0 {
				t.Errorf("hook: %v\n%s", err, out)
			}
			if out, err := mum(string(dir), "up").CombinedOutput(); err == nil || !strings.Contains(string(out), "rm -r '") {
				t.Errorf("up: %v\n%s", err, out)
			}
			if out, err := combined(string(dir), "doctor"); err == nil ||
				!strings.Contains(out, "is not used: ") {
				t.Errorf("doctor: %v\n%s", err, out)
			}
			if now, err := os.ReadFile(victim); err != nil || string(now) != "mine" {
				t.Errorf("the file behind the link says %q, %v", now, err)
			}
		})
	}
}

func giveAway(t *testing.T, path string) error {
	err := os.Chown(path, 12345, 12345)
	if err != nil {
		t.Skip("only root can give a file away")
	}
	return err
}

// A pipe in place of one of our files blocks nobody, whoever owns it.
func TestAPipeInThePlaceOfAFileIsNamed(t *testing.T) {
	all := map[string]func(home.Dir) string{
		"the lock": home.Dir.Lock, "the lock of a start": home.Dir.StartLock, "the token": home.Dir.Token,
		"the database": home.Dir.Database, "the log of a start": home.Dir.StartLog,
	}
	for i, name := range slices.Sorted(maps.Keys(all)) {
		if !longtest.Every(5, i) {
			continue
		}
		path := all[name]
		t.Run(name, func(t *testing.T) {
			dir := home.Dir(filepath.Join(t.TempDir(), "data"))
			if err := syscall.Mkfifo(under(t, path(dir)), 0o600); err != nil {
				t.Fatal(err)
			}
			want := path(dir) + " is not a regular file, and mum cannot use it; check it, then: rm -r '" + path(dir) + "'"
			for _, args := range [][]string{{"up"}, {"serve"}} {
				if out := hanging(t, dir, args); !strings.Contains(out, want) {
					t.Errorf("%v: %s", args, out)
				}
			}
			for _, args := range [][]string{{"doctor"}, {"doctor", "--fix"}} {
				if out := hanging(t, dir, args); !strings.Contains(out, "rm -r '"+path(dir)+"'") {
					t.Errorf("%v: %s", args, out)
				}
			}
		})
	}
}

// hanging returns what a failing command prints; a command that does not end is killed.
func hanging(t *testing.T, dir home.Dir, args []string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), hangs)
	defer cancel()
	cmd := exec.CommandContext(ctx, binary, args...)
	cmd.Env, cmd.WaitDelay = mum(string(dir)).Env, time.Second
	out, err := cmd.CombinedOutput()
	if exit := (*exec.ExitError)(nil); !errors.As(err, &exit) || !exit.Exited() {
		t.Errorf("%v: %v", args, err)
	}
	return string(out)
}

// Whoever listens on a socket reads every prompt, so the socket must be this user's.
func TestASocketOfAnotherUserIsNotTalkedTo(t *testing.T) {
	dir := home.Dir(t.TempDir())
	l, err := net.Listen("unix", dir.Socket())
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	_ = giveAway(t, dir.Socket())
	err = api.NewClient(string(dir), "").Get(t.Context(), "/health", nil, nil)
	if err == nil || !strings.Contains(err.Error(), "belongs to user 12345") {
		t.Errorf("got %v", err)
	}
}

// A file that a setting names by mistake is not removed to make room for a socket.
func TestAFileInTheSocketsPlaceIsLeftAlone(t *testing.T) {
	data, file := filepath.Join(t.TempDir(), "data"), filepath.Join(t.TempDir(), "notes")
	write(t, file, "mine")
	stopAtEnd(t, data)
	up := mum(data, "up")
	up.Env = append(up.Env, "MUM_DAEMON__SOCKET="+file)
	_ = up.Run() // the port still works
	if now, err := os.ReadFile(file); err != nil || string(now) != "mine" {
		t.Errorf("the file says %q, %v", now, err)
	}
	doctor := mum(data, "doctor")
	doctor.Env = up.Env
	if out, _ := doctor.CombinedOutput(); !strings.Contains(string(out), "is not a socket") { // others may warn too
		t.Errorf("doctor says\n%s", out)
	}
}

// A hook writes nothing into the directory of another user, who could replace it.
func TestAHookWritesNothingIntoTheDirectoryOfAnotherUser(t *testing.T) {
	const user = 54321
	root := t.TempDir()
	data, program := filepath.Join(root, "data"), filepath.Join(root, "mum")
	if err := errors.Join(os.Chmod(filepath.Dir(root), 0o755), os.Chmod(root, 0o755), os.Link(binary, program),
		os.Mkdir(data, 0o700), os.Chmod(data, 0o777)); err != nil {
		t.Skip(err)
	}
	_ = giveAway(t, data)
	cmd := mum(data, "hook", "claude")
	cmd.Path, cmd.SysProcAttr = program, &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: user, Gid: user}}
	cmd.Stdin = strings.NewReader(string(promptPayload()))
	if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("hook: %v\n%s", err, out)
	}
	if left, err := os.ReadDir(data); err != nil || len(left) > 0 {
		t.Errorf("it wrote %v, %v", left, err)
	}
}

// A file in place of the log directory is named with the command to type, as a pipe is.
func TestAFileInThePlaceOfTheLogsIsNamed(t *testing.T) {
	dir := home.Dir(filepath.Join(t.TempDir(), "data"))
	write(t, under(t, dir.Logs()), "a file")
	if out := hanging(t, dir, []string{"up"}); !strings.Contains(
		out,
		"is not a directory, and mum cannot use it; check it, then: rm -r '"+dir.Logs()+"'",
	) {
		t.Error(out)
	}
	if out := hanging(t, dir, []string{"doctor"}); !strings.Contains(out, "rm -r '"+dir.Logs()+"'") {
		t.Error(out)
	}
}

// So is what a daemon can start without, as long as it is there: without it no backup is made, or damage stays hidden.
func TestWhatIsInThePlaceOfAProtectionIsNamed(t *testing.T) {
	longtest.Only(t)
	dir := home.Dir(upWith(t, "make walrus"))
	must(t, string(dir), "down")
	places := []string{dir.Backups(), dir.Latest()}
	for _, path := range places {
		if err := os.RemoveAll(path); err != nil {
			t.Fatal(err)
		}
	}
	write(t, dir.Backups(), "a file")
	write(t, under(t, dir.Latest(), "file"), "in a directory")
	must(t, string(dir), "up")
	for _, ask := range [][]string{{"doctor"}, {"doctor", "--fix"}, {"doctor"}} {
		out, err := combined(string(dir), ask...)
		for _, path := range places {
			if err == nil || !strings.Contains(out, "check it, then: rm -r '"+path+"'") {
				t.Errorf("%v does not name %s:\n%s", ask, path, out)
			}
		}
	}
	for _, path := range places {
		if err := os.RemoveAll(path); err != nil {
			t.Fatal(err)
		}
	}
	must(t, string(dir), "backup")
	if out, err := combined(string(dir), "doctor"); err != nil || strings.Contains(out, "FAIL") {
		t.Errorf("%v\n%s", err, out)
	}
}

// What the user may not read or write is named with the command to type.
func TestWhatIsClosedToItsUserIsNamed(t *testing.T) {
	const user = 12345
	root := t.TempDir()
	dir, program := home.Dir(filepath.Join(root, "data")), filepath.Join(root, "mum")
	if err := errors.Join(os.Chmod(filepath.Dir(root), 0o755), os.Link(binary, program)); err != nil {
		t.Skip(err)
	}
	_ = giveAway(t, root)
	run := func(args ...string) (string, error) {
		cmd := mum(string(dir), args...)
		cmd.Path, cmd.SysProcAttr = program, &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: user, Gid: user}}
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	if out, err := run("up"); err != nil {
		t.Fatalf("up: %v\n%s", err, out)
	}
	t.Cleanup(func() { _, _ = run("down") })
	says := func(want string, args ...string) {
		t.Helper()
		if out, err := run(args...); err == nil || !strings.Contains(out, want) {
			t.Errorf("%v: %v, want %q in\n%s", args, err, want, out)
		}
	}
	closing := func(path string, f func()) {
		info, err := os.Stat(path)
		if err == nil {
			err = os.Chmod(path, info.Mode().Perm()&0o500)
		}
		if err != nil {
			t.Fatal(err)
		}
		f()
		if err := os.Chmod(path, info.Mode()); err != nil {
			t.Fatal(err)
		}
	}
	mends := func(path string) {
		t.Helper()
		out, err := run("doctor", "--fix")
		if info, serr := os.Stat(path); err != nil || serr != nil || info.Mode().Perm()&0o200 == 0 {
			t.Errorf("%s is not opened: %v, %v\n%s", path, err, serr, out)
		}
		if out, err := run("down"); err != nil { // --fix started it
			t.Errorf("down: %v\n%s", err, out)
		}
	}
	closing(string(dir), func() {
		says(dir.Backups()+" cannot be written to or read: permission denied\nmum: hint: mum doctor", "backup")
		says("mum doctor --fix", "doctor")
		mends(string(dir))
	})
	t.Run("memories", func(t *testing.T) { memoriesAreClosed(t, dir, run) })
	if out, err := run("down"); err != nil {
		t.Fatalf("down: %v\n%s", err, out)
	}
	file := filepath.Join(root, "file")
	write(t, file, "")
	if err := giveAway(t, file); err != nil {
		t.Fatal(err)
	}
	hook := func(dir string) ([]byte, error) {
		cmd := mum(dir, "hook", "claude")
		cmd.Path, cmd.SysProcAttr = program, &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: user, Gid: user}}
		cmd.Stdin = bytes.NewReader(promptPayload())
		return cmd.CombinedOutput()
	}
	_, _ = hook(file)
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("a hook changed a file in the place of the data directory: %v, %v", info.Mode(), err)
	}
	closedAtAHook(t, dir, run, func() ([]byte, error) { return hook(string(dir)) })
	for i, path := range []string{dir.Token(), dir.HMACKey(), dir.StartLock(), dir.Logs()} {
		if !longtest.Every(4, i) {
			continue
		}
		closing(path, func() {
			says("mum doctor --fix", "doctor")
			mends(path)
		})
	}
}

// memoriesAreClosed checks that directories of memories that cannot be read are named and opened, also one in another,
// and that the memories elsewhere are still read.
func memoriesAreClosed(t *testing.T, dir home.Dir, run func(args ...string) (string, error)) {
	add := func(title string) {
		t.Helper()
		if out, err := run("memory", "add", title, "--body", "Last month nobody did, and the shop was down for an hour.",
			"--global"); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	if out, err := run("up"); err != nil {
		t.Fatalf("up: %v\n%s", err, out)
	}
	add("Deploys go through staging first")
	inner := filepath.Join(dir.Memory(), "learnings")
	for _, path := range []string{inner, dir.Memory()} {
		if err := os.Chmod(path, 0); err != nil {
			t.Fatal(err)
		}
	}
	out, err := run("doctor")
	if err == nil || !strings.Contains(out, "FAIL  files") || !strings.Contains(out, "/memory cannot be read or written") {
		t.Errorf("doctor: %v\n%s", err, out)
	}
	await.True(t, "a line of the status", func() bool {
		out, _ := run("status")
		return strings.Contains(out, "BLOCKED   no project: read memories") && strings.Contains(out, "next: mum doctor --fix")
	})
	out, err = run("doctor", "--fix")
	if strings.Contains(out, "cannot be read or") || strings.Contains(out, "WARN  project") {
		t.Errorf("doctor names what it repaired:\n%s", out)
	}
	for _, path := range []string{dir.Memory(), inner} {
		if info, serr := os.Stat(path); err != nil || serr != nil || info.Mode().Perm() != 0o700 {
			t.Errorf("%s is not opened: %v, %v\n%s", path, err, serr, out)
		}
	}
	if err := os.Chmod(inner, 0); err != nil {
		t.Fatal(err)
	}
	await.True(t, "what helps", func() bool {
		out, _ := run("status")
		return strings.Contains(out, "learnings: it cannot be read; next: mum doctor --fix")
	})
	if out, err := run("doctor", "--fix"); err != nil || strings.Contains(out, "WARN  project") {
		t.Errorf("doctor --fix: %v\n%s", err, out)
	}
	await.True(t, "nothing blocked", func() bool {
		out, _ := run("status")
		return !strings.Contains(out, "BLOCKED")
	})
	if out, err := run("memory", "list"); err != nil || !strings.Contains(out, "staging") {
		t.Errorf("%v\n%s", err, out)
	}
}

// closedAtAHook checks that a hook opens a data directory that was closed, keeps the text, and starts a daemon.
func closedAtAHook(t *testing.T, dir home.Dir, run func(args ...string) (string, error), hook func() ([]byte, error)) {
	t.Helper()
	if err := os.Chmod(string(dir), 0); err != nil {
		t.Fatal(err)
	}
	if out, err := hook(); err != nil || len(out) > 0 {
		t.Errorf("hook: %v\n%s", err, out)
	}
	await.True(t, "a daemon that has the prompt", func() bool {
		out, err := run("search", "--all", sentence)
		return err == nil && strings.Contains(out, sentence)
	})
	if out, err := run("down"); err != nil {
		t.Fatalf("down: %v\n%s", err, out)
	}
}
