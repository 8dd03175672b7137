package scan

const (
	MinRun  = 16 // bytes of the shortest run that is found
	runStep = 8  // a run of the minimum length contains two checked bytes this far apart
)

// FindRuns finds the long runs of bytes that a token, base64 or hex may consist of. It reads only half of the bytes: it
// skips what is between two short words.
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
			s.Runs = append(s.Runs, Stretch{from, to})
		}
		i = to + 1
	}
}

// RunNear reports whether a long run is in [from, to). Calls must go from the start of the text to its end.
func RunNear(s *Scanner, from, to int) bool {
	for s.Run < len(s.Runs) && s.Runs[s.Run].To <= from {
		s.Run++
	}
	return s.Run < len(s.Runs) && s.Runs[s.Run].From < to
}

// BodyByte reports whether a byte can be in a run.
func BodyByte(c byte) bool { return TokenByte(c) || c == '+' || c == '/' || c == '=' }
