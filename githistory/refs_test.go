package githistory_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"keepmum/githistory"
	"keepmum/project"
)

// While git packs names, each of them is in packed-refs, in a file of its own, or in both.
func TestNoBranchIsLostWhileGitPacksThem(t *testing.T) {
	r := newRepo(t)
	hash := r.commit(t, "first", "a")
	for i := range 300 { // reading these takes a while
		r.write(t, fmt.Sprintf(".git/refs/heads/a%03d", i), hash+"\n")
	}
	var made atomic.Int64
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		packed := "# pack-refs with: peeled fully-peeled sorted\n"
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			default:
			}
			name := fmt.Sprintf("refs/heads/z%06d", i)
			loose, fresh := filepath.Join(r.dir, ".git", filepath.FromSlash(name)), r.path(".git/packed-refs.lock")
			packed += hash + " " + name + "\n"
			if os.WriteFile(loose, []byte(hash+"\n"), 0o600) != nil {
				return
			}
			made.Store(int64(i) + 1)
			if os.WriteFile(fresh, []byte(packed), 0o600) != nil || os.Rename(fresh, r.path(".git/packed-refs")) != nil ||
				os.Remove(loose) != nil {
				return
			}
		}
	}()
	for range 30 {
		there := made.Load()
		refs, err := githistory.ReadRefs(project.Of(r.dir))
		if err != nil {
			t.Fatal(err)
		}
		for i := range there {
			if name := fmt.Sprintf("z%06d", i); refs.Branches[name] != hash {
				t.Errorf("%s of %d is lost", name, there)
			}
		}
	}
	close(stop)
	<-stopped
}

func TestABranchOnTwoRemotesIsThatOfOrigin(t *testing.T) {
	r := newRepo(t)
	one := r.commit(t, "first", "a")
	two := r.commit(t, "second", "a")
	for name, at := range map[string]string{"alice/fix": one, "origin/fix": two, "zoe/fix": one, "alice/idea": two,
		"zoe/idea": one} {
		r.git(t, "update-ref", "refs/remotes/"+name, at)
	}
	for _, how := range []string{"loose", "packed", "both"} {
		switch how {
		case "packed":
			r.git(t, "pack-refs", "--all")
		case "both":
			r.git(t, "update-ref", "refs/remotes/zoe/fix", two, one)
			r.git(t, "update-ref", "refs/remotes/zoe/idea", two, one)
		}
		for range 10 {
			got := r.opened(t).Refs.Remotes
			if got["fix"] != two || got["idea"] != two {
				t.Fatalf("%s: %v", how, got)
			}
		}
	}
}

func TestARepositoryOfLongHashesWithRemoteBranchesOnly(t *testing.T) {
	r := newRepo(t)
	if err := os.RemoveAll(r.path(".git")); err != nil {
		t.Fatal(err)
	}
	r.git(t, "init", "-q", "-b", "main", "--object-format=sha256")
	hash := r.commit(t, "first", "a")
	if len(hash) != 64 {
		t.Skip("this git knows no sha256")
	}
	r.git(t, "update-ref", "refs/remotes/origin/main", hash)
	r.git(t, "update-ref", "-d", "refs/heads/main")
	if got := strings.Join(subjects(history(t, r.opened(t))), ","); got != "first" {
		t.Errorf("got %q", got)
	}
}
