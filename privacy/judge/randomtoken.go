package judge

import (
	"strings"

	"keepmum/privacy/assign"
	"keepmum/privacy/public"
	"keepmum/privacy/scan"
	"keepmum/privacy/value"
)

const near = 56 // bytes around a secret word in which a random token is a secret

// RandomNearName searches the text around a secret word for random tokens.
func RandomNearName(s *scan.Scanner, from, to int) {
	start, end := max(s.Reached[scan.ByNear], from-near), min(len(s.Text), to+near)
	if !scan.RunNear(s, start, end) {
		s.Reached[scan.ByNear] = max(s.Reached[scan.ByNear], end)
		return
	}
	// Neither another paragraph nor what is beyond a placeholder is near: text that was far away must not come near
	// because the text between was taken out.
	start = lastBarrier(s.Text, start, max(start, from))
	if end = firstBarrier(s.Text, to, end); start >= end {
		return
	}
	last := end
	for _, r := range s.Runs[s.Run:] {
		if r.From >= end {
			break
		}
		if r.To <= start {
			continue // beyond a barrier
		}
		if r.From < start { // the window starts inside a run
			r.From = min(start, max(r.From, s.Reached[scan.ByNear], from-assign.MaxJudged))
		}
		if r.To-r.From >= scan.MinRun {
			randomIn(s, r.From, r.To)
		}
		last = max(last, r.To)
	}
	s.Reached[scan.ByNear] = min(last, len(s.Text))
}

// barriers end what is near.
func barriers() [3]string { return [...]string{"\n\n", scan.RedactedMark, "-----BEGIN "} }

// lastBarrier returns where the last barrier in [from, to) ends, from if there is none.
func lastBarrier(text string, from, to int) int {
	for _, w := range barriers() {
		for {
			i := strings.Index(text[from:to], w)
			if i < 0 {
				break
			}
			from += i + len(w)
		}
	}
	return from
}

// firstBarrier returns where the first barrier in [from, to) starts, to if there is none. The paragraph that a colon
// announces is near.
func firstBarrier(text string, from, to int) int {
	for _, w := range barriers() {
		i := strings.Index(text[from:to], w)
		if i > 0 && w == "\n\n" && text[from+i-1] == ':' {
			next := from + i + len(w)
			if i = strings.Index(text[next:to], w); i >= 0 {
				i += next - from
			}
		}
		if i >= 0 {
			to = from + i
		}
	}
	return to
}

// randomIn judges a run of token bytes near a secret word: as a whole, or its parts between separators.
func randomIn(s *scan.Scanner, from, to int) {
	run := s.Text[from:to]
	if i := strings.LastIndexByte(strings.TrimRight(run, "="), '='); i >= 0 {
		randomIn(s, from+i+1, to) // the name before = is kept
		return
	}
	if strings.HasSuffix(s.Text[:from], ";base64,") || to-from > 200 || saysDigest(run) {
		return // an image, a digest
	}
	if secretOfAWS(s.Text[max(0, from-80):from], run) {
		addRandom(s, from, to, from, to)
		return
	}
	start, stop := from, to
	part, longest := randomPart(s.Text, from, to)
	switch {
	case part >= 0:
		start, stop = pathPart(s.Text, from, to, part)
	case longest < 10 || !randomRun(run):
		return
	}
	if !encrypted(s, from) && !public.Place(s, from, to) {
		addRandom(s, start, stop, from, to)
	}
}

// secretOfAWS reports whether a run is the secret that belongs to an access key of AWS before it.
func secretOfAWS(before, run string) bool {
	if len(run) != 40 || !value.ContainsAny(before, "AKIA", "aws-access-token") {
		return false
	}
	return value.CrossEntropy(run) > value.DrawnAtAll && value.CountKinds(run).Sorts() > 2 && !value.Placeholder(run)
}

// randomPart returns where the first part between separators that is a random token starts; if there is none, -1 and
// the length of the longest part that is no id of an agent.
func randomPart(text string, from, to int) (at, longest int) {
	for part := from; part < to; {
		end := to
		if n := strings.IndexAny(text[part:to], "-_=/"); n >= 0 {
			end = part + n
		}
		if id := part-from >= 4 && value.AgentID(text[part-4:end]); !id {
			if end-part >= 20 && drawnToken(text[part:end]) {
				return part, 0
			}
			longest = max(longest, end-part)
		}
		part = end + 1
	}
	return -1, longest
}

// randomRun reports whether a run with its separators is a random token; a path is none.
func randomRun(run string) bool {
	if len(run) < 16 || strings.Count(run, "/") > 1 && !value.KeyWithSlashes(run) {
		return false
	}
	return drawnToken(run)
}

// drawnToken reports whether a token is random, and neither a placeholder nor a name.
func drawnToken(v string) bool {
	return randomToken(v) && !value.Placeholder(v) && !value.CamelWords(v)
}

// addRandom adds a token of the run at [from, to), unless the run itself says that it is public.
func addRandom(s *scan.Scanner, start, stop, from, to int) {
	run := s.Text[from:to]
	switch {
	case strings.HasSuffix(s.Text[:from], "encrypted:"), public.ID(run):
		return
	case strings.HasPrefix(run, "_ZN"), strings.HasPrefix(run, "_ZSt"): // names that compilers write
		return
	case HashPrefixed(s.Text, from), bodyLine(s, from, to), encodedText(run), strings.HasPrefix(s.Text[to:], "("):
		return
	}
	scan.Add(s, start, stop, scan.RuleRandom)
}

// encodedText reports whether a run is base64 of words or of an object: the decoded text is judged on its own.
func encodedText(run string) bool {
	plain := value.DecodeBase64(strings.TrimRight(run, "="))
	words := strings.IndexByte(plain, ' ') > 0 && value.CountKinds(plain).Digits == 0
	return (words || strings.HasPrefix(plain, `{"`)) && value.Readable(plain)
}

// encrypted reports whether a run is a secret that a tool encrypted: ENC[AES256_GCM,data:…] of sops, ENC(…) of Jasypt.
func encrypted(s *scan.Scanner, at int) bool {
	before := s.Text[max(0, at-maxSealed):at]
	if !strings.Contains(before, "ENC") { // much faster than searching from the end
		return false
	}
	i := strings.LastIndex(before, "ENC")
	return i+3 < len(before) && (strings.HasPrefix(before[i:], "ENC[AES") && !strings.Contains(before[i:], "]") ||
		before[i+3:] == "(")
}

const maxSealed = 1200 // bytes of an encrypted value before the run

// pathPart narrows a run to the part between slashes that contains the byte at, if the other parts are words: a token
// in a path does not take out the path. A slash inside base64 has no words around it.
func pathPart(text string, from, to, at int) (int, int) {
	start := from + strings.LastIndexByte(text[from:at], '/') + 1
	end := to
	if i := strings.IndexByte(text[at:to], '/'); i >= 0 {
		end = at + i
	}
	if value.KeyWithSlashes(text[from:to]) && (from == 0 || strings.IndexByte("/.:@", text[from-1]) < 0) &&
		strings.Count(text[from:to], "/") == 1 {
		return from, to
	}
	for _, part := range strings.Split(strings.Trim(text[from:start]+text[end:to], "/"), "/") {
		if part != "" && !value.PlainWords(part) {
			return from, to
		}
	}
	return start, end
}

// bodyLine reports whether a run is one of several lines of the same base64 body: a certificate, a signature, an image.
// In a literal, escapes end the lines.
func bodyLine(s *scan.Scanner, from, to int) bool {
	before, after := s.Text[:from], s.Text[to:]
	if strings.HasSuffix(before, `\`) && s.Text[from] == 'n' {
		before, from = s.Text[:from+1], from+1
	}
	line := to - from
	if line < 40 {
		return false
	}
	for _, end := range []string{"\n", `\n`} {
		above, _ := strings.CutSuffix(before, end)
		below, ok := strings.CutPrefix(after, end)
		if ok && value.LongestBase64(below[:min(len(below), line)]) == line {
			return true
		}
		if len(above) < len(before) && len(above) >= line && value.LongestBase64(above[len(above)-line:]) == line {
			return true
		}
	}
	return false
}

// HashPrefixed reports whether a token has the prefix of a digest.
func HashPrefixed(text string, at int) bool {
	before := text[max(0, at-12):min(len(text), at+8)]
	for i := range len(before) {
		if saysDigest(before[i:]) {
			return true
		}
	}
	return false
}

// saysDigest reports whether a text starts with the name of a digest, or like a public key.
func saysDigest(s string) bool {
	for _, start := range digestStarts[s[0]|0x20] {
		if value.BeginsFold(s, start) {
			return true
		}
	}
	return false
}

// digestStarts are such starts, by their first letter.
var digestStarts = [256][]string{
	'a': {"aaaab3nz", "aaaac3nz", "aaaae2vj"},
	'b': {"blake"},
	'c': {"crc"},
	'e': {"etag", "ecdsa-"},
	'h': {"h1:"},
	'i': {"integrity"},
	'm': {"md5"},
	's': {"sha1", "sha256", "sha384", "sha512", "ssh-"},
}
