package daemon

import (
	"archive/tar"
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"

	"keepmum/api"
)

func TestATarOfMemoriesIsReadWhateverDirectoryIsAboveThem(t *testing.T) {
	archive := func(names ...string) []byte {
		var b bytes.Buffer
		w := tar.NewWriter(&b)
		for _, name := range names {
			if err := w.WriteHeader(&tar.Header{Name: name, Mode: 0o600, Size: 4}); err != nil {
				t.Fatal(err)
			}
			if _, err := w.Write([]byte("text")); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	data := archive("shop/decisions/a.md", "./copy/shop/learnings/b.md", "everywhere/archived/decisions/c.md",
		"decisions/d.md", "shop/summaries/20270301/100500/s.md", "../../shop/decisions/e.md", "README.md")
	got, err := readTar(data)
	want := []api.MemoryFile{{Project: "shop", Path: "decisions/a.md", Text: "text"},
		{Project: "shop", Path: "learnings/b.md", Text: "text"}, {Path: "archived/decisions/c.md", Text: "text"},
		{Project: ".", Path: "decisions/d.md", Text: "text"},
		{Project: "shop", Path: "summaries/20270301/100500/s.md", Text: "text"},
		{Project: "shop", Path: "decisions/e.md", Text: "text"}}
	if diff := cmp.Diff(want, got.Files); err != nil || diff != "" || !isTar(data) {
		t.Error(err, diff)
	}
	for name, bad := range map[string][]byte{"nothing in it": archive("README.md"), "cut": data[:1<<10+1],
		"text": []byte("text")} {
		if got, err := readTar(bad); err == nil {
			t.Errorf("%s: %+v", name, got)
		}
	}
}
