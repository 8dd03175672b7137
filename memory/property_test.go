package memory_test

import (
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/quick"
	"time"

	"github.com/google/go-cmp/cmp"

	"keepmum/longtest"
	"keepmum/memory"
	"keepmum/privacy"
)

func FuzzSlugIsASafeFileName(f *testing.F) {
	for _, s := range []string{"", "../..", "CON", "nul.txt", "Ünïcödé", "日本語", "a/b\\c:d", strings.Repeat("long ", 40),
		"com1", "-- --", "\x00", "..", "ﬁne"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, title string) {
		s := memory.Slug(title)
		for _, r := range s {
			if (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '-' {
				t.Fatalf("%q holds %q", s, r)
			}
		}
		if s == "" || len(s) > 60 || strings.Trim(s, "-") != s || strings.Contains(s, "--") || !filepath.IsLocal(s) {
			t.Fatalf("slug of %q is %q", title, s)
		}
		if slices.Contains([]string{"con", "prn", "aux", "nul", "com1", "lpt9"}, s) {
			t.Fatalf("%q is a device", s)
		}
		if memory.Slug(title) != s {
			t.Fatal("two slugs of one title")
		}
	})
}

func TestSlugs(t *testing.T) {
	for title, want := range map[string]string{
		"Use Postgres, not Redis!": "use-postgres-not-redis",
		"Größe naïve ﬁne":          "groe-naive-fine",
		"../../etc/passwd":         "etc-passwd",
		"C++ & C#":                 "c-c",
		"Mail goes out with [REDACTED:sendgrid-key#fc66], use it": "mail-goes-out-with-use-it",
		"a very long title that goes on and on about what was decided yesterday": "" +
			"a-very-long-title-that-goes-on-and-on-about-what-was-decided",
	} {
		if got := memory.Slug(title); got != want {
			t.Errorf("Slug(%q) = %q, want %q", title, got, want)
		}
	}
	if a, b := memory.Slug("日本語"), memory.Slug("中文"); a == b || len(a) != 6 {
		t.Errorf("%q and %q", a, b)
	}
}

// FuzzAnyFrontmatterSurvivesARewrite changes a memory whose file contains unknown keys, and reads it again.
func FuzzAnyFrontmatterSurvivesARewrite(f *testing.F) {
	f.Add("reviewers", "- ada\n- grace", "x-note", "a: b # c")
	f.Add("k", "|\n  text\n  more", "other", "'quoted'")
	f.Add("list", "[a, {b: c}]", "null", "~")
	f.Add("anchor", "&a 1", "use", "*a")
	f.Add("nothing", "?", "note", "a key that is none")
	tree := newTree(f)
	f.Fuzz(func(t *testing.T, key1, value1, key2, value2 string) {
		indent := func(s string) string { return "\n  " + strings.ReplaceAll(s, "\n", "\n  ") }
		text := "---\nid: fuzzed\n" + key1 + ":" + indent(value1) + "\ntitle: Fuzzed memory\n" + key2 + ": " + value2 +
			"\n---\nBody of it.\n"
		put(t, tree, "decisions/fuzzed.md", text)
		l := load(t, tree)
		if len(l.Active) == 0 {
			return // broken, and left unchanged
		}
		before := unknown(t, tree, l.Active[0].Path)
		m, err := tree.Pin(l.Active[0], !l.Active[0].Pinned, stamp())
		if err != nil {
			return // refused: the file is unchanged
		}
		after := unknown(t, tree, m.Path)
		if cleaned, _ := newGate(t).Text(text); cleaned.String() != text {
			return // the gate removed something
		}
		if diff := cmp.Diff(before, after); diff != "" {
			t.Error(diff)
		}
	})
}

func TestSimilarityIsAMeasure(t *testing.T) {
	words := strings.Fields("postgres redis queue cache parseURL 30 retry api/users.go timeout not never 日本語 S3 v1.2 " +
		"deploy the of because user login http_client")
	text := func(r *rand.Rand) string {
		var out []string
		for range r.IntN(14) {
			out = append(out, words[r.IntN(len(words))])
		}
		return strings.Join(out, " ")
	}
	check := func(seed uint64) bool {
		r := rand.New(rand.NewPCG(seed, 1))
		a := memory.Memory{Title: text(r), Body: text(r), Tags: strings.Fields(text(r))}
		b := memory.Memory{Title: text(r), Body: text(r), Tags: strings.Fields(text(r))}
		s := memory.Similarity(a, b)
		return s >= 0 && s <= 1 && s == memory.Similarity(b, a) && memory.Similarity(a, a) == 1 &&
			memory.Contradict(a, b) == memory.Contradict(b, a) && !memory.Contradict(a, a)
	}
	if err := quick.Check(check, &quick.Config{MaxCount: longtest.Rounds(100, 3000)}); err != nil {
		t.Error(err)
	}
}

// TestDecayAgreesWithATable computes 200 points in whole days and hundredths, following the written formula and not the
// code.
func TestDecayAgreesWithATable(t *testing.T) {
	points := 0
	for _, hundredths := range []int{10, 25, 50, 80, 100} {
		for _, days := range []int{0, 1, 29, 30, 31, 45, 90, 120, 144, 179, 180, 181, 365, 4000} {
			for _, ago := range []int{-1, 0, 30, 100} { // days since the last use; -1 = never
				if ago > days {
					continue
				}
				points++
				want := tableValue(hundredths, days, ago)
				var looked time.Time
				if ago >= 0 {
					looked = noon().AddDate(0, 0, -ago)
				}
				got := memory.Effective(float64(hundredths)/100, noon().AddDate(0, 0, -days), looked, noon(), memory.DefaultDecay())
				if math.Abs(got-want) > 1e-9 {
					t.Errorf("confidence %d%%, %d days old, looked at %d days ago: %.6f, want %.6f", hundredths, days, ago, got, want)
				}
			}
		}
	}
	if points < 200 {
		t.Errorf("%d points", points)
	}
}

func tableValue(hundredths, days, ago int) float64 {
	age := days
	if ago >= 0 {
		age = ago
	}
	if days <= 30 || ago >= 0 && ago <= 30 {
		return float64(hundredths) / 100
	}
	left := hundredths * (180 - min(age, 180)) // in hundredths of 180ths
	if left < 10*180 {
		return 0.1
	}
	return float64(left) / 18000
}

func TestDecayIsNotStoredAndCanBeOff(t *testing.T) {
	off := memory.DefaultDecay()
	off.Off = true
	if got := memory.Effective(0.9, noon().AddDate(-9, 0, 0), time.Time{}, noon(), off); got != 0.9 {
		t.Errorf("%v", got)
	}
	if got := memory.Effective(0.9, noon().AddDate(0, 0, -60), time.Time{}, noon(), memory.Decay{Grace: 1}); got != 0 {
		t.Errorf("with no period, nothing is left: %v", got)
	}
}

// TestNoSecretReachesTheDisk plants a secret of every shape in every place that takes text, and searches every byte
// below the root.
func TestNoSecretReachesTheDisk(t *testing.T) {
	longtest.Only(t)
	for i, s := range secrets(t) {
		tree := newTree(t)
		plantByHand(t, tree, s)
		plantEverywhere(t, tree, s)
		err := filepath.WalkDir(tree.Root(), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			if strings.Contains(readFile(t, path), s.Secret) || strings.Contains(path, s.Secret) {
				t.Errorf("sample %d of %s is in %s", i, s.Rule, filepath.Base(filepath.Dir(path)))
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// secrets returns samples of some rules: all of them would take minutes, and the gate has tests of its own.
func secrets(t *testing.T) (out []privacy.Sample) {
	for i, s := range privacy.Samples() {
		if i%40 > 0 || !strings.ContainsAny(s.Secret, "0123456789") {
			continue
		}
		cleaned, _ := newGate(t).Text(fmt.Sprintf("%s%q", s.Text, s.Text)) // as it is planted
		if !strings.Contains(cleaned.String(), s.Secret) {
			out = append(out, s)
		}
	}
	if len(out) < 5 {
		t.Fatalf("%d samples", len(out))
	}
	return out
}

// plantByHand writes a file with a secret in keys, values, comments and body, changes it, and imports another one.
func plantByHand(t *testing.T, tree *memory.Tree, s privacy.Sample) {
	t.Helper()
	text := fmt.Sprintf("---\n# %[1]q\nid: planted\ntitle: %[1]q\ntags: [%[1]q]\nnote: %[1]q # %[1]q\n"+
		"sources: [{session: %[1]q, ref: %[1]q}]\n%[1]q: 1\n---\n%[2]s\n", s.Text, s.Text)
	file := put(t, tree, "learnings/planted.md", text)
	l := load(t, tree)
	if len(l.Active) != 1 {
		t.Fatalf("%s: %v", s.Rule, l.Broken)
	}
	if _, err := tree.Pin(l.Active[0], true, stamp()); err != nil {
		t.Logf("%s: refused: %v", s.Rule, err)
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
	}
	old := t.TempDir()
	if err := os.WriteFile(filepath.Join(old, "learning_x.md"), []byte(strings.Replace(text, "planted", "imported", 1)),
		0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := tree.Import(old, stamp()); err != nil {
		t.Fatal(err)
	}
}

func plantEverywhere(t *testing.T, tree *memory.Tree, s privacy.Sample) {
	t.Helper()
	secret := clean(t, s.Text)
	c := memory.Candidate{Primitive: memory.Learning, Kind: memory.Insight,
		Title: privacy.Join(" ", privacy.Const("About"), secret), Body: secret, Tags: []privacy.Clean{secret},
		Confidence: 0.9, Sources: []memory.Source{{Session: secret, Ref: secret}}}
	m, err := tree.Add(c, memory.Stamp{Now: noon(), By: secret})
	if err == nil {
		_, err = tree.Update(m, c, later())
	}
	if err != nil {
		t.Logf("%s: refused: %v", s.Rule, err)
	}
	if _, err := tree.WriteSummary(memory.Draft{Title: privacy.Join(" ", privacy.Const("About"), secret),
		Description: secret, Agent: secret, Session: secret, Repo: secret, Branch: secret, Tags: []privacy.Clean{secret},
		Intent: secret, Happened: secret}, stamp()); err != nil {
		t.Logf("%s: refused: %v", s.Rule, err)
	}
	if _, err := tree.Regenerate(nil, noon(), memory.DefaultDecay()); err != nil {
		t.Fatal(err)
	}
}

// unknown returns the unknown keys of a file with their values.
func unknown(t *testing.T, tree *memory.Tree, rel string) []any {
	t.Helper()
	out, err := memory.UnknownKeys([]byte(readFile(t, filepath.Join(tree.Root(), rel))))
	if err != nil {
		t.Fatal(err)
	}
	return out
}
