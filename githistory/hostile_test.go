//go:build unix

package githistory_test

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"keepmum/githistory"
	"keepmum/longtest"
)

// trap is a repository that tries to run a program, and that program.
type trap struct {
	repo
	program, canary string
}

func newTrap(t *testing.T) trap {
	t.Helper()
	r := trap{repo: copyOf(t, "trap", func(t *testing.T) repo {
		r := newRepo(t)
		r.commit(t, "first", "a.go", "b.go")
		r.commit(t, "second", "a.go")
		return r
	})}
	r.program, r.canary = filepath.Join(t.TempDir(), "program"), filepath.Join(t.TempDir(), "canary")
	script := "#!/bin/sh\necho \"$0 $*\" >> '" + r.canary + "'\n"
	if err := os.WriteFile(r.program, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	return r
}

func (r trap) sprung() bool {
	_, err := os.Stat(r.canary)
	return err == nil
}

// readAll does everything that this package does with a repository.
func (r trap) readAll(t *testing.T) error {
	t.Helper()
	o, err := r.open(t)
	if err != nil {
		return err
	}
	list, err := o.List(t.Context(), 100)
	if err != nil {
		return err
	}
	_, err1 := o.Commits(t.Context(), list)
	_, err2 := o.Touched(t.Context())
	return errors.Join(err1, err2)
}

// dirty changes files so that git has to read them.
func (r trap) dirty(t *testing.T) {
	t.Helper()
	r.write(t, "a.go", "second") // the same again, at another time
	r.write(t, "b.go", "changed")
}

// Each of these makes some git command run a program, or did so in some version.
var traps = map[string]func(t *testing.T, r trap){
	"core.fsmonitor":     func(t *testing.T, r trap) { r.git(t, "config", "core.fsmonitor", r.program) },
	"core.pager":         func(t *testing.T, r trap) { r.git(t, "config", "core.pager", r.program) },
	"pager of a command": func(t *testing.T, r trap) { r.git(t, "config", "pager.rev-list", r.program) },
	"core.editor":        func(t *testing.T, r trap) { r.git(t, "config", "core.editor", r.program) },
	"core.sshCommand":    func(t *testing.T, r trap) { r.git(t, "config", "core.sshCommand", r.program) },
	"core.askPass":       func(t *testing.T, r trap) { r.git(t, "config", "core.askPass", r.program) },
	"core.gitProxy":      func(t *testing.T, r trap) { r.git(t, "config", "core.gitProxy", r.program) },
	"core.alternateRefsCommand": func(t *testing.T, r trap) {
		r.git(t, "config", "core.alternateRefsCommand", r.program)
	},
	"gpg.program and log.showSignature": func(t *testing.T, r trap) {
		r.git(t, "config", "gpg.program", r.program)
		r.git(t, "config", "gpg.ssh.program", r.program)
		r.git(t, "config", "log.showSignature", "true")
		signed := strings.Replace(r.git(t, "cat-file", "commit", "HEAD"), "\n\n",
			"\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n abc\n -----END PGP SIGNATURE-----\n\n", 1)
		r.raw(t, signed+"\n")
	},
	"diff.external": func(t *testing.T, r trap) { r.git(t, "config", "diff.external", r.program) },
	"diff driver and textconv": func(t *testing.T, r trap) {
		r.git(t, "config", "diff.evil.command", r.program)
		r.git(t, "config", "diff.evil.textconv", r.program)
		r.write(t, ".gitattributes", "* diff=evil\n")
		r.write(t, ".git/info/attributes", "* diff=evil\n")
	},
	"clean filter": func(t *testing.T, r trap) {
		r.git(t, "config", "filter.evil.clean", r.program)
		r.write(t, ".gitattributes", "* filter=evil\n")
	},
	"process filter": func(t *testing.T, r trap) {
		r.git(t, "config", "filter.evil.process", r.program)
		r.git(t, "config", "filter.evil.required", "true")
		r.write(t, ".git/info/attributes", "* filter=evil\n")
	},
	"merge driver": func(t *testing.T, r trap) {
		r.git(t, "config", "merge.evil.driver", r.program)
		r.write(t, ".gitattributes", "* merge=evil\n")
	},
	"core.attributesFile": func(t *testing.T, r trap) {
		r.git(t, "config", "filter.evil.clean", r.program)
		r.write(t, ".git/evil", "* filter=evil\n")
		r.git(t, "config", "core.attributesFile", r.path(".git/evil"))
	},
	"hooks": func(t *testing.T, r trap) {
		for _, hook := range []string{"post-index-change", "fsmonitor-watchman", "reference-transaction", "post-checkout",
			"pre-auto-gc", "query-watchman"} {
			if err := os.MkdirAll(r.path(".git/hooks"), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink(r.program, r.path(".git/hooks/"+hook)); err != nil {
				t.Fatal(err)
			}
		}
	},
	"core.hooksPath": func(t *testing.T, r trap) {
		dir := t.TempDir()
		if err := os.Symlink(r.program, filepath.Join(dir, "post-index-change")); err != nil {
			t.Fatal(err)
		}
		r.git(t, "config", "core.hooksPath", dir)
	},
	"aliases": func(t *testing.T, r trap) {
		for _, name := range []string{"rev-list", "cat-file", "diff-tree", "diff-index", "update-index", "merge-base",
			"log"} {
			r.git(t, "config", "alias."+name, "!"+r.program)
		}
	},
	"credential helper": func(t *testing.T, r trap) { r.git(t, "config", "credential.helper", "!"+r.program) },
	"included config": func(t *testing.T, r trap) {
		r.write(t, ".git/more", "[core]\n\tfsmonitor = "+r.program+"\n[diff]\n\texternal = "+r.program+"\n")
		r.git(t, "config", "include.path", "more")
	},
	"config of the worktree": func(t *testing.T, r trap) {
		r.git(t, "config", "extensions.worktreeConfig", "true")
		r.write(t, ".git/config.worktree", "[core]\n\tfsmonitor = "+r.program+"\n")
	},
	"lazy fetch of a promisor": func(t *testing.T, r trap) {
		r.git(t, "config", "core.repositoryFormatVersion", "1")
		r.git(t, "config", "extensions.partialClone", "origin")
		r.git(t, "config", "remote.origin.promisor", "true")
		r.git(t, "config", "remote.origin.url", "ext::"+r.program)
		r.git(t, "config", "remote.origin.uploadpack", r.program)
		r.git(t, "config", "protocol.ext.allow", "always")
		if err := os.Remove(r.object(r.git(t, "rev-parse", "HEAD^{tree}"))); err != nil {
			t.Fatal(err)
		}
	},
	"submodule": func(t *testing.T, r trap) {
		sub := newRepo(t)
		sub.commit(t, "inside", "x")
		r.git(t, "-c", "protocol.file.allow=always", "submodule", "add", "-q", sub.dir, "sub")
		r.commit(t, "with a submodule")
		repo{r.path("sub")}.git(t, "config", "core.fsmonitor", r.program)
		r.write(t, "sub/x", "changed")
	},
}

func TestAHostileRepositoryRunsNothing(t *testing.T) {
	for i, name := range slices.Sorted(maps.Keys(traps)) {
		if !longtest.Every(3, i) {
			continue
		}
		set := traps[name]
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newTrap(t)
			set(t, r)
			r.dirty(t)
			_ = os.Remove(r.canary) // setting the trap may trigger it
			err := r.readAll(t)
			if r.sprung() {
				text, _ := os.ReadFile(r.canary)
				t.Fatalf("a program was run: %s", text)
			}
			if err != nil && name != "lazy fetch of a promisor" {
				t.Errorf("it is not read: %v", err)
			}
		})
	}
}

// Without our precautions these do run: the other tests need traps that work.
func TestTheTrapsWork(t *testing.T) {
	longtest.Only(t)
	for name, args := range map[string][]string{
		"core.fsmonitor": {"status"}, "clean filter": {"status"}, "process filter": {"diff", "--no-ext-diff"},
		"diff.external":            {"diff"},
		"diff driver and textconv": {"log", "-p"}, "included config": {"status"}, "config of the worktree": {"status"},
		"submodule":                         {"status"},
		"gpg.program and log.showSignature": {"log"}, "core.attributesFile": {"status"},
		"lazy fetch of a promisor": {"log", "--stat"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newTrap(t)
			traps[name](t, r)
			r.dirty(t)
			_ = os.Remove(r.canary)
			r.careless(args...)
			if !r.sprung() {
				t.Error("nothing was run")
			}
		})
	}
}

func TestGitKnowsNothingOfTheDaemonsEnvironment(t *testing.T) {
	r := newTrap(t)
	for name, value := range map[string]string{
		"GIT_EXTERNAL_DIFF": r.program, "GIT_SSH_COMMAND": r.program, "GIT_ASKPASS": r.program, "GIT_PAGER": r.program,
		"GIT_TRACE": r.canary,
		"GIT_DIR":   "/nowhere", "GIT_WORK_TREE": "/nowhere", "GIT_INDEX_FILE": "/nowhere",
		"GIT_ALTERNATE_OBJECT_DIRECTORIES": "/nowhere",
		"GIT_CONFIG_COUNT":                 "1", "GIT_CONFIG_KEY_0": "core.fsmonitor", "GIT_CONFIG_VALUE_0": r.program,
		"GIT_EXEC_PATH":         "/nowhere",
		"GIT_CONFIG_PARAMETERS": "'core.fsmonitor'='" + r.program + "'", "GIT_REPLACE_REF_BASE": "refs/heads/",
	} {
		t.Setenv(name, value)
	}
	if err := r.readAll(t); err != nil || r.sprung() {
		t.Errorf("sprung: %v, %v", r.sprung(), err)
	}
}

func TestReplacedCommitsAreNotRead(t *testing.T) {
	r := newRepo(t)
	r.commit(t, "first", "a")
	real := r.commit(t, "what was said", "b")
	other := r.git(t, "commit-tree", "-m", "what was never said", "HEAD^{tree}")
	r.git(t, "replace", real, other)
	if got := subjects(history(t, r.opened(t))); !slices.Equal(got, []string{"what was said", "first"}) {
		t.Errorf("got %q", got)
	}
}

func TestPipesAndDevicesInARepositoryDoNotBlock(t *testing.T) {
	for name, makeDir := range map[string]func(t *testing.T, r repo){
		"HEAD":        func(t *testing.T, r repo) { pipe(t, r.path(".git/HEAD")) },
		"packed-refs": func(t *testing.T, r repo) { pipe(t, r.path(".git/packed-refs")) },
		"a branch":    func(t *testing.T, r repo) { pipe(t, r.path(".git/refs/heads/main")) },
		"shallow":     func(t *testing.T, r repo) { pipe(t, r.path(".git/shallow")) },
		"alternates":  func(t *testing.T, r repo) { pipe(t, r.path(".git/objects/info/alternates")) },
		"index":       func(t *testing.T, r repo) { pipe(t, r.path(".git/index")) },
		"endless HEAD": func(t *testing.T, r repo) {
			if err := errors.Join(os.Remove(r.path(".git/HEAD")), os.Symlink("/dev/zero", r.path(".git/HEAD"))); err != nil {
				t.Fatal(err)
			}
		},
		"attributes": func(t *testing.T, r repo) {
			if err := os.Symlink("/dev/zero", r.path(".gitattributes")); err != nil {
				t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := newTrap(t)
			makeDir(t, r.repo)
			_ = r.readAll(t) // an error or nothing: it only has to end
			if r.sprung() {
				t.Error("a program was run")
			}
		})
	}
}

func pipe(t *testing.T, path string) {
	t.Helper()
	_ = os.Remove(path)
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestObjectsInOddPlacesAreNotRead(t *testing.T) {
	for _, place := range []string{"/dev/shm", "/proc/self/cwd", "//host/share", "/net/host/objects", "/nowhere",
		`"/quoted"`} {
		r := newTrap(t)
		r.write(t, ".git/objects/info/alternates", place+"\n")
		if err := r.readAll(t); !errors.Is(err, githistory.ErrElsewhere) {
			t.Errorf("%s: %v", place, err)
		}
	}
	r := newTrap(t)
	r.git(t, "clone", "-q", "--shared", r.dir, "../shared")
	shared := trap{repo: repo{filepath.Join(filepath.Dir(r.dir), "shared")}}
	if got := subjects(history(t, shared.opened(t))); len(got) != 2 {
		t.Errorf("a shared clone of one's own: %q", got)
	}
}

func TestARepositoryOfAnotherUserIsNotRead(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can give a directory away")
	}
	r := newTrap(t)
	if err := os.Chown(r.path(".git"), 12345, 12345); err != nil {
		t.Fatal(err)
	}
	if err := r.readAll(t); !errors.Is(err, githistory.ErrNoRepository) { // its .git is ignored
		t.Errorf("got %v", err)
	}
}

func TestNamesOfBranchesLeadNowhereElse(t *testing.T) {
	r := newTrap(t)
	outside := filepath.Join(filepath.Dir(r.dir), "outside")
	if err := os.WriteFile(outside, []byte(strings.Repeat("a", 40)), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, head := range []string{"ref: refs/../../../outside", "ref: ../../outside", "ref: refs/heads/link",
		"ref: refs/heads/loop"} {
		_ = os.Symlink(outside, r.path(".git/refs/heads/link"))
		r.write(t, ".git/refs/heads/loop", "ref: refs/heads/loop")
		r.write(t, ".git/HEAD", head)
		o, err := r.open(t)
		if err == nil && o.Refs.Head != "" {
			t.Errorf("%s leads to %s", head, o.Refs.Head)
		}
	}
}
