package review

// Bar is how this user shifts the built-in bar. The zero value shifts nothing.
type Bar struct {
	Labels int
	by     map[string][]known // by why it was proposed, the oldest first
}

// Verdict is what is done with something below the built-in bar.
type Verdict string

// The verdicts.
const (
	Propose Verdict = "propose"
	Promote Verdict = "promote" // the user keeps what is like it: it is a memory
	Leave   Verdict = "leave"   // the user drops what is like it: it is not shown
)

const (
	recent  = 50  // labels of a class that count: habits change
	enough  = 8   // labels before anything shifts
	near    = .05 // how far below or above in confidence a label still counts
	promote = .85 // share of kept ones from which the next is kept unasked
	leave   = .1  // and up to which the next is not shown
)

// Judge decides about something that is as sure as confidence, and is no memory by
// itself for a reason. What the user did with things of that reason that were no surer,
// and no less sure, tells.
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
