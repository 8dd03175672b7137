package privacy

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the goldens again; what a set reached is never lowered")

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
			if _, err := fmt.Sscanf(want, "gone %d touched %d\n", &gone, &touched); err == nil && (got.gone < gone ||
				got.touched > touched) {
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
