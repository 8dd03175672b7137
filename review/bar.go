package review

// Bar says how this user's reviews shift the built-in threshold. The zero value shifts nothing.
type Bar struct {
	Labels int
	by     map[string][]known // by why they were proposed, oldest first
}

// Verdict says what to do with something below the built-in threshold.
type Verdict string

// The verdicts.
const (
	Propose Verdict = "propose"
	Promote Verdict = "promote" // the user keeps similar ones, so it becomes a memory
	Leave   Verdict = "leave"   // the user drops similar ones, so it is not shown
)

const (
	recent  = 50  // labels per reason that count: habits change
	enough  = 8   // labels needed before anything shifts
	near    = .05 // tolerance in confidence
	promote = .85 // minimum share kept for the next one to become a memory unasked
	leave   = .1  // maximum share kept for the next one not to be shown
)

// Judge decides about a proposal with that confidence, made for the reason why. It looks at what the user did with
// proposals for the same reason: those that were no surer, and those that were at least as sure.
func (b Bar) Judge(why string, confidence float64) Verdict {
	labels := b.by[why]
	labels = labels[max(0, len(labels)-recent):]
	below, above := share{}, share{}
	for _, l := range labels {
		if l.Confidence <= confidence+near {
			below.add(l)
		}
		if l.Confidence >= confidence-near {
			above.add(l)
		}
	}
	switch {
	case below.n >= enough && below.kept() >= promote: // even of those that were less sure
		return Promote
	case above.n >= enough && above.kept() <= leave: // even of those that were surer
		return Leave
	}
	return Propose
}

type share struct{ n, keep int }

func (s *share) add(l known) {
	s.n++
	if l.Act == Keep || l.Act == Edit {
		s.keep++
	}
}

func (s share) kept() float64 { return float64(s.keep) / float64(s.n) }
