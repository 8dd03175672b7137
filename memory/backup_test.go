package memory_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"keepmum/memory"
	"keepmum/privacy"
)

// backedUp is a data directory with a tree, a repository with another tree, and a copy of both.
type backedUp struct {
	home, repo, file string
	own, shared      *memory.Tree
	ours, theirs     memory.Memory
}

func backUp(t *testing.T) backedUp {
	t.Helper()
	b := backedUp{home: t.TempDir(), repo: t.TempDir()}
	var err error
	if b.own, err = memory.Open(filepath.Join(b.home, "projects/1/memory"), newGate(t)); err != nil {
		t.Fatal(err)
	}
	if b.shared, err = memory.Open(filepath.Join(b.repo, ".mum/memory"), newGate(t)); err != nil {
		t.Fatal(err)
	}
	b.ours = add(t, b.own, queue())
	c := queue()
	c.Title = privacy.Const("Keep the invoices for ten years")
	b.theirs = add(t, b.shared, c)
	put(t, b.own, "learnings/pasted.md", "---\nid: pasted\ntitle: Pasted by hand\n---\nThe key is "+key+".\n")
	b.file = filepath.Join(b.home, "memory-1.files.tar")
	out, err := memory.WriteBackup(b.file,
		[]memory.Backup{{Tree: b.own, Name: "home-1", Dir: "projects/1/memory"},
			{Tree: b.shared, Name: "repo-2", Dir: b.shared.Root()}}, noon())
	if err != nil || out.Files != 3 || len(out.Left) != 0 {
		t.Fatalf("%+v, %v", out, err)
	}
	return b
}

func TestMemoriesComeBackFromACopy(t *testing.T) {
	b := backUp(t)
	data, err := os.ReadFile(b.file)
	if err != nil || bytes.Contains(data, []byte(key)) {
		t.Fatalf("the copy holds what the gate would not let pass: %v", err)
	}
	if info, err := os.Stat(b.file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	before := readFile(t, filepath.Join(b.shared.Root(), b.theirs.Path))
	if _, err := b.own.Pin(b.ours, true, later()); err != nil { // newer versions are kept under another name
		t.Fatal(err)
	}
	if err := b.shared.Remove(b.theirs); err != nil {
		t.Fatal(err)
	}
	out, err := memory.RestoreBackup(b.file, b.home)
	if err != nil || out.Files != 3 || len(out.Left) != 0 ||
		!slices.Equal(out.Aside, []string{b.own.Root() + ".replaced"}) {
		t.Errorf("%+v, %v", out, err)
	}
	if l := load(t, b.own); len(l.Active) != 2 || l.Active[0].Pinned || len(l.Broken) != 0 {
		t.Errorf("%+v", l)
	}
	if got := readFile(t, filepath.Join(b.shared.Root(), b.theirs.Path)); got != before {
		t.Errorf("got %q", got)
	}
	if got := readFile(t, filepath.Join(b.own.Root()+".replaced", b.ours.Path)); !strings.Contains(got, "pinned: true") {
		t.Errorf("what was there: %q", got)
	}
}

func TestARestoreOverwritesNothingInARepository(t *testing.T) {
	b := backUp(t)
	m, err := b.shared.Pin(b.theirs, true, later())
	if err != nil {
		t.Fatal(err)
	}
	out, err := memory.RestoreBackup(b.file, b.home)
	file := filepath.Join(b.shared.Root(), m.Path)
	if err != nil || !slices.Equal(out.Left, []string{file}) || !strings.Contains(readFile(t, file), "pinned: true") {
		t.Errorf("%+v, %v", out, err)
	}
	if err := os.RemoveAll(filepath.Join(b.repo, ".mum")); err != nil {
		t.Fatal(err)
	}
	elsewhere := t.TempDir()
	if err := os.Symlink(elsewhere, filepath.Join(b.repo, ".mum")); err != nil {
		t.Fatal(err)
	}
	if out, err = memory.RestoreBackup(b.file, b.home); err != nil || len(out.Left) != 1 {
		t.Errorf("%+v, %v", out, err)
	}
	if files, err := os.ReadDir(elsewhere); err != nil || len(files) != 0 {
		t.Errorf("it wrote through a link: %v, %v", files, err)
	}
	if err := os.RemoveAll(b.repo); err != nil {
		t.Fatal(err)
	}
	if out, err = memory.RestoreBackup(b.file, b.home); err != nil || len(out.Left) != 1 {
		t.Errorf("%+v, %v", out, err)
	}
	if _, err := os.Stat(b.repo); err == nil {
		t.Error("it made a repository that is gone")
	}
}

// TestADamagedCopyRestoresNothing: whichever byte is wrong, existing files stay.
func TestADamagedCopyRestoresNothing(t *testing.T) {
	b := backUp(t)
	data, err := os.ReadFile(b.file)
	if err != nil {
		t.Fatal(err)
	}
	at := bytes.Index(data, []byte("SKIP LOCKED"))
	for name, bad := range map[string][]byte{
		"a byte of a file": append(append(slices.Clone(data[:at]), 'X'), data[at+1:]...),
		"cut off":          data[:at],
		"empty":            {},
		"cut between":      data[:bytes.Index(data, []byte("home-1/learnings/pasted.md\x00"))],
		"another list":     bytes.Replace(data, []byte(`"projects/1/memory"`), []byte(`"../../../../etc/x"`), 1),
	} {
		if err := os.WriteFile(b.file, bad, 0o600); err != nil {
			t.Fatal(err)
		}
		if out, err := memory.RestoreBackup(b.file, b.home); err == nil {
			t.Errorf("%s: %+v", name, out)
		}
		if _, err := os.Stat(b.own.Root() + ".replaced"); err == nil || len(load(t, b.own).Active) != 2 {
			t.Errorf("%s: what was there was moved", name)
		}
	}
}

func TestWhereThereIsNoMemoryThereIsNoCopy(t *testing.T) {
	file := filepath.Join(t.TempDir(), "memory-1.files.tar")
	tree := newTree(t)
	out, err := memory.WriteBackup(file, []memory.Backup{{Tree: tree, Name: "home-1", Dir: "memory"}}, noon())
	if _, serr := os.Stat(file); out.Files != 0 || err != nil || serr == nil {
		t.Errorf("%+v, %v, %v", out, err, serr)
	}
}

// TestACopyHoldsNothingThatTheGateDidNotSee: a line that is too long for the gate, and the names of files and
// directories.
func TestACopyHoldsNothingThatTheGateDidNotSee(t *testing.T) {
	home := t.TempDir()
	tree, err := memory.Open(filepath.Join(home, "memory"), newGate(t))
	if err != nil {
		t.Fatal(err)
	}
	head, words := "---\nid: big\ntitle: A dump of the queue\n---\n", strings.Repeat("word ", 130_000)
	put(t, tree, "learnings/big.md", head+words+key+"\n")
	put(t, tree, "learnings/nohead.md", words+key+"\n")
	put(t, tree, "learnings/lines.md", "---\nid: lines\ntitle: Many lines\n---\n"+strings.ReplaceAll(words, " ", "\n"))
	put(t, tree, "learnings/20260301-"+key+".md", "---\nid: c\ntitle: Named by hand\n---\nNothing to take out.\n")
	put(t, tree, "learnings/"+key+"/x.md", "Nothing to take out.\n")
	file := filepath.Join(home, "memory-1.files.tar")
	out, err := memory.WriteBackup(file, []memory.Backup{{Tree: tree, Name: "home-1", Dir: "memory"}}, noon())
	if err != nil || out.Files != 5 || len(out.Left) != 2 ||
		!strings.Contains(out.Left[0], "big.md: a part of it is not copied") {
		t.Errorf("%+v, %v", out, err)
	}
	if data, err := os.ReadFile(file); err != nil || bytes.Contains(data, []byte(key)) {
		t.Errorf("the copy holds a key: %v", err)
	}
	restored := t.TempDir()
	if _, err := memory.RestoreBackup(file, restored); err != nil {
		t.Fatal(err)
	}
	if got := readFile(t, filepath.Join(restored, "memory/learnings/big.md")); !strings.HasPrefix(got, head+"word ") ||
		!strings.Contains(got, "[CUT:") {
		t.Errorf("nothing says that the rest of the line is missing: %q", got[max(0, len(got)-50):])
	}
	if got := readFile(t, filepath.Join(restored, "memory/learnings/lines.md")); strings.Count(got, "word") != 130_000 {
		t.Errorf("of many lines %d are left", strings.Count(got, "word"))
	}
}

// TestACopyIsAWholeArchive: other programs refuse an archive without its end.
func TestACopyIsAWholeArchive(t *testing.T) {
	data, err := os.ReadFile(backUp(t).file)
	if err != nil || len(data)%512 != 0 || !bytes.HasSuffix(data, make([]byte, 1024)) {
		t.Errorf("%d bytes, %v", len(data), err)
	}
}

// What a repository contains must neither stop the copy of all others nor its restore.
func TestOddNamesAndLinksOfARepositoryStopNoBackup(t *testing.T) {
	b := backUp(t)
	put(t, b.shared, "learnings/odd\xff.md", "---\nid: odd\ntitle: An odd name\n---\nIt is odd.\n")
	out, err := memory.WriteBackup(b.file,
		[]memory.Backup{{Tree: b.own, Name: "home-1", Dir: "projects/1/memory"},
			{Tree: b.shared, Name: "repo-2", Dir: b.shared.Root()}}, noon())
	if err != nil || out.Files != 4 {
		t.Fatalf("%+v, %v", out, err)
	}
	dir := filepath.Join(b.shared.Root(), "learnings")
	if err := errors.Join(os.RemoveAll(dir), os.Symlink("../..", dir)); err != nil {
		t.Fatal(err)
	}
	in, err := memory.RestoreBackup(b.file, b.home)
	if err != nil || len(in.Left) != 1 || !strings.Contains(in.Left[0], "is a link") || in.Files < 2 {
		t.Errorf("%+v, %v", in, err)
	}
}
