package privacy

// run is a stretch of bytes of which a token, base64 or hex may be made.
type run struct{ from, to int }

const (
	minRun  = 16 // bytes of a run that is found
	runStep = 8  // a run that long holds two bytes this far apart that are looked at
)

// findRuns finds the long runs of a text. It looks at half of the bytes only:
// what lies between two short words is skipped.
func (s *scanner) findRuns() {
	text, body := s.text, &s.set.body
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
		if to-from >= minRun {
			s.runs = append(s.runs, run{from, to})
		}
		i = to + 1
	}
}

// runNear reports whether a long run lies in [from, to). It is asked from the
// beginning of the text to its end.
func (s *scanner) runNear(from, to int) bool {
	for s.run < len(s.runs) && s.runs[s.run].to <= from {
		s.run++
	}
	return s.run < len(s.runs) && s.runs[s.run].from < to
}

// bodyByte reports whether a byte is one of those that runs are made of.
func bodyByte(c byte) bool { return tokenByte(c) || c == '+' || c == '/' || c == '=' }
