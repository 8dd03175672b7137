package scan

// Run is a stretch of bytes of which a token, base64 or hex may be made.
type Run struct{ From, To int }

const (
	MinRun  = 16 // bytes of a run that is found
	runStep = 8  // a run that long holds two bytes this far apart that are looked at
)

// FindRuns finds the long runs of a text. It looks at half of the bytes only:
// what is between two short words is skipped.
func FindRuns(s *Scanner) {
	text, body := s.Text, &s.Set.body
	for i := runStep; i < len(text); i += runStep {
		w := text[i-runStep : i+1]
		if body[w[0]]&body[w[1]]&body[w[2]]&body[w[3]]&body[w[4]]&body[w[5]]&body[w[6]]&body[w[7]]&body[w[8]] == 0 {
			continue
		}
		from, to := i-runStep, i+1
		for from > 0 && body[text[from-1]] != 0 {
			from--
		}
		for to < len(text) && body[text[to]] != 0 {
			to++
		}
		if to-from >= MinRun {
			s.Runs = append(s.Runs, Run{from, to})
		}
		i = to + 1
	}
}

// RunNear reports whether a long run is in [from, to). It is asked from the
// beginning of the text to its end.
func RunNear(s *Scanner, from, to int) bool {
	for s.Run < len(s.Runs) && s.Runs[s.Run].To <= from {
		s.Run++
	}
	return s.Run < len(s.Runs) && s.Runs[s.Run].From < to
}

// BodyByte reports whether a byte is one of those that runs are made of.
func BodyByte(c byte) bool { return TokenByte(c) || c == '+' || c == '/' || c == '=' }
