package extract

import (
	"testing"

	"keepmum/privacy"
)

// talked returns a session of n rounds, similar to those in the labelled sessions.
func talked(b testing.TB, n int) (s Session, size int) {
	g := testGate(b)
	all := load(b, "tuned")
	var one []Step
	for _, l := range all {
		one = append(one, l.session(g).Steps...)
	}
	s = Session{Agent: privacy.Const("claude"), ID: privacy.Const("long")}
	for range n {
		s.Steps = append(s.Steps, one...)
	}
	for _, st := range s.Steps {
		size += len(st.Text.String()) + len(st.Command.String())
	}
	return s, size
}

// Throughput counts the bytes of messages, a tenth of a transcript or less.
func BenchmarkExtract(b *testing.B) {
	for name, n := range map[string]int{"short": 1, "long": 20} {
		b.Run(name, func(b *testing.B) {
			s, size := talked(b, n)
			h := New()
			b.SetBytes(int64(size))
			for b.Loop() {
				h.Extract(b.Context(), s, nil)
			}
		})
	}
}

func BenchmarkNew(b *testing.B) {
	for b.Loop() {
		New()
	}
}
