package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// valuesOf returns the values of one half of a set: texts of the one half never contain values of the other.
func (t *trainer) valuesOf(name string, second bool) map[string][]string {
	pool := map[string][]string{}
	for n, x := range t.labels[name] {
		if second != (n*2 >= len(t.labels[name])) {
			continue
		}
		for _, s := range x.Secrets {
			pool[sort(s)] = append(pool[sort(s)], s)
		}
	}
	return pool
}

// sort returns how a value is written: only a value of the same sort may replace it.
func sort(v string) string {
	switch {
	case strings.Trim(v, "0123456789") == "":
		return fmt.Sprint("digits", len(v))
	case strings.ContainsAny(v, " \n"):
		return "words"
	case len(v) < 5 || len(v) > 40:
		return "odd" + fmt.Sprint(len(v))
	}
	return ""
}

// swapped returns a text with other values; drawn: with tokens that are drawn.
func swapped(x text, pool map[string][]string, rnd *rand.Rand, drawn bool) text {
	out := text{Kind: x.Kind, Text: x.Text}
	for _, s := range x.Secrets {
		others := pool[sort(s)]
		other := others[rnd.IntN(len(others))]
		if drawn && sort(s) == "" {
			other = drawToken(rnd)
		}
		out.Text = strings.ReplaceAll(out.Text, s, other)
		out.Secrets = append(out.Secrets, other)
	}
	return out
}

// alphabets are those of the tokens that vendors issue, the usual ones more than once.
var alphabets = []string{
	hexDigits, hexDigits, "0123456789ABCDEF", "abcdefghijklmnopqrstuvwxyz0123456789",
	"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789",
	"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
	"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
	"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_",
	"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
}

const (
	hexDigits = "0123456789abcdef"
	letters   = "abcdefghijklmnopqrstuvwxyz"
	joints    = "-_.:~-_"
)

// tokenLengths are their lengths.
var tokenLengths = []int{16, 20, 22, 24, 27, 30, 32, 32, 32, 36, 40, 40, 43, 48, 64}

// drawToken draws a token in one of the forms that vendors issue.
func drawToken(rnd *rand.Rand) string {
	alphabet, length := alphabets[rnd.IntN(len(alphabets))], tokenLengths[rnd.IntN(len(tokenLengths))]
	joint := string(joints[rnd.IntN(len(joints))])
	group := func() string { return draw(rnd, alphabet, 4+length/4) }
	switch rnd.IntN(20) {
	case 0, 1: // a UUID
		return strings.Join([]string{draw(rnd, hexDigits, 8), draw(rnd, hexDigits, 4), draw(rnd, hexDigits, 4),
			draw(rnd, hexDigits, 4), draw(rnd, hexDigits, 12)}, "-")
	case 2, 3, 4: // behind a prefix
		return draw(rnd, letters, 2+rnd.IntN(5)) + joint + draw(rnd, alphabet, length)
	case 5: // behind two
		first, second := draw(rnd, letters, 2+rnd.IntN(4)), draw(rnd, letters, 3+rnd.IntN(4))
		return first + joint + second + joint + draw(rnd, alphabet, length)
	case 6, 7: // behind an id
		return draw(rnd, alphabet, length/2) + joint + draw(rnd, alphabet, length)
	case 8:
		return strings.Join([]string{group(), group(), group()}, joint)
	case 9:
		return draw(rnd, "0123456789", min(length, 32))
	case 10, 11:
		return joined(rnd, draw(rnd, alphabet, length), joint)
	}
	return draw(rnd, alphabet, length)
}

// draw draws characters.
func draw(rnd *rand.Rand, alphabet string, n int) string {
	out := make([]byte, n)
	for i := range out {
		out[i] = alphabet[rnd.IntN(len(alphabet))]
	}
	return string(out)
}

// joined puts joints in a token.
func joined(rnd *rand.Rand, token, joint string) string {
	out := []byte(token)
	for i := 2; i < len(out)-4; i++ {
		if rnd.IntN(12) == 0 {
			out[i] = joint[0]
		}
	}
	return string(out)
}

// frames are notations in which the named values of a set are written again: %[1]s is the name.
var frames = []string{
	"%[1]s=%[2]s\n", "%[1]s: %[2]s\n", "%[1]s = \"%[2]s\"\n", "  \"%[1]s\": \"%[2]s\",\n", "<%[1]s>%[2]s</%[1]s>\n",
	"%[1]s => '%[2]s',\n", "set_%[1]s(\"%[2]s\")\n", "foo(\"%[1]s\", \"%[2]s\")\n",
	"  - name: %[1]s\n    value: \"%[2]s\"\n", "export %[1]s=%[2]s\n", "const %[1]s: string = '%[2]s';\n",
	"| %[1]s | %[2]s |\n",
}

// namedValue is a value with a name in a labelled text.
type namedValue struct {
	name, value string
	secret      bool
}

// reframe looks at the named values of a set in other notations, two of three times with drawn tokens.
func (t *trainer) reframe(set string, rnd *rand.Rand) {
	values, seen := t.namedValues, map[namedValue]bool{}
	t.namedValues = nil
	for _, v := range values {
		if seen[v] {
			continue
		}
		seen[v] = true
		t.origin++
		for n, frame := range frames {
			x := text{Kind: "fp"}
			in := v.value
			if v.secret {
				if n%3 != 0 && sort(in) == "" {
					in = drawToken(rnd)
				}
				x.Kind, x.Secrets = "tp", []string{in}
			}
			x.Text = fmt.Sprintf(frame, v.name, in)
			t.look(set, -1, x, 1/float32(len(frames)))
		}
	}
}
