package privacy

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var (
	update = flag.Bool("update", false, "write the goldens again; a set may reach less only if -lower names it")
	lower  = flag.String("lower", "", "`sets`, joined by commas, that new weights may find less of, by up to two points")
)

// mostLower is how many percent of its values a set that -lower names may lose.
const mostLower = 2

// reached is what the gate does on a labelled set.
type reached struct {
	samples, gone, harmless, touched int
	list                             strings.Builder // of what is missed or taken out wrongly
}

// TestLabelledTextIsFoundAsBefore compares the sets of testdata/privacy with
// their goldens: which labelled values are left, which harmless texts change.
func TestLabelledTextIsFoundAsBefore(t *testing.T) {
	const dir = "../testdata/privacy"
	sets, err := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	if err != nil || len(sets) == 0 {
		t.Fatalf("no sets in %s: %v", dir, err)
	}
	g := newGate(t, Options{})
	for _, set := range sets {
		name := strings.TrimSuffix(filepath.Base(set), ".jsonl")
		t.Run(name, func(t *testing.T) {
			got := reach(g, labelledSet(t, set))
			file := filepath.Join(dir, name+".golden")
			raw, err := os.ReadFile(file)
			if err != nil && !*update {
				t.Fatal(err)
			}
			want := string(raw)
			var gone, touched int
			_, err = fmt.Sscanf(want, "gone %d touched %d\n", &gone, &touched)
			if err == nil && !got.keeps(gone, touched, *update && inSets(*lower, name)) {
				t.Errorf("%d of %d values are gone, %d harmless texts touched; the set reached %d and %d", got.gone, got.samples,
					got.touched, gone, touched)
				t.Log(got.list.String())
				return
			}
			if *update {
				if err := os.WriteFile(file, []byte(got.golden()), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if diff := cmp.Diff(want, got.golden()); diff != "" {
				t.Errorf("go test ./privacy -run LabelledText -update, if this is better:\n%s", diff)
			}
		})
	}
}

// keeps reports whether a set reached what it had reached before, or not much less if it may be lower.
func (r *reached) keeps(gone, touched int, lower bool) bool {
	if lower {
		gone -= r.samples * mostLower / 100
		touched += r.harmless * mostLower / 100
	}
	return r.gone >= gone && r.touched <= touched
}

func inSets(list, name string) bool { return slices.Contains(strings.Split(list, ","), name) }

func TestASetIsLoweredOnlyByNameAndALittle(t *testing.T) {
	for _, c := range []struct {
		gone, touched int
		sets          string
		want          bool
	}{
		{90, 4, "", true}, {89, 4, "", false}, {90, 5, "", false}, {89, 4, "train-b", false},
		{89, 4, "train-b,train-a", true},
		{88, 5, "train-a", true}, {87, 4, "train-a", false}, {90, 6, "train-a", false},
	} {
		r := reached{samples: 100, gone: c.gone, harmless: 50, touched: c.touched}
		if got := r.keeps(90, 4, inSets(c.sets, "train-a")); got != c.want {
			t.Errorf("%d and %d with -lower %q: %v", c.gone, c.touched, c.sets, got)
		}
	}
}

func (r *reached) golden() string {
	return fmt.Sprintf("gone %d touched %d\nof %d values and %d harmless texts\n%s", r.gone, r.touched, r.samples,
		r.harmless, r.list.String())
}

func reach(g *Gate, set []labelled) *reached {
	r := &reached{}
	for n, l := range set {
		got := g.Event(Raw{Output: l.Text}).Output.Text().String()
		if l.Kind == "fp" {
			r.harmless++
			if got != l.Text {
				r.touched++
				fmt.Fprintf(&r.list, "touched %d %s\n", n+1, l.Rule)
			}
			continue
		}
		for _, secret := range l.Secrets {
			r.samples++
			if !strings.Contains(got, secret) {
				r.gone++
				continue
			}
			fmt.Fprintf(&r.list, "left %d %s\n", n+1, l.Rule)
		}
	}
	return r
}
