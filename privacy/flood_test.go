package privacy

import (
	"math/rand/v2"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"keepmum/longtest"
	"keepmum/privacy/cputime"
	"keepmum/privacy/rules"
	"keepmum/privacy/scan"
)

// wordFloods are texts made to cost as much as they can: each word of each rule
// and detector over and over, with what could follow it.
func wordFloods(size int, behinds ...string) map[string]string {
	out := map[string]string{}
	add := func(unit string) {
		if unit != "" {
			out[unit] = strings.Repeat(unit, size/len(unit)+1)[:size]
		}
	}
	set := sharedRules()
	for _, r := range set.Rules {
		sample, _ := marked(r.Yes[0])
		add(sample)
		for _, behind := range behinds {
			add(r.Words[0] + behind)
		}
	}
	for _, d := range detectors() {
		for _, w := range d.Words {
			for _, behind := range behinds {
				add(w + behind)
			}
		}
	}
	for _, unit := range []string{
		"a", " ", "\n", "=", "\"", "\\", "\\\"", "[REDACTED:", "[REDACTED:password#12ab]", "<private>", "</private>",
		"<private a=b>",
		"{", "[1,", "\x1b[", "\x1b[0m", "\x00", "\u200b", "%41", "&#65;", "\\u0041", "\" + \"", "QUJD",
		"QUJDREVGR0hJSktMTU5PUA==\n", "00000000: 4141\n",
		"key token secret ", "a:b@c://", "x://a:b", "-----BEGIN PRIVATE KEY-----\n", "-----END PRIVATE KEY-----\n", "MIIE",
		"eyJ", "eyJhbGciOi.", "password=Tr0ub4dor&3x!9\n",
		"a1B2c3D4e5F6g7H8", "token a1B2c3D4e5F6g7H8i9J0\n", "'", "`", "-u a:", "h:5432:d:u:", "Cookie: a=b;",
		"Authorization: Bearer ",
	} {
		add(unit)
	}
	return out
}

// valueFloods are texts of nothing but secrets, each of another value.
func valueFloods(size int) map[string]string {
	drawn := rand.New(rand.NewPCG(1, 2))
	token := func(n int) string {
		b := make([]byte, n)
		for i := range b {
			b[i] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"[drawn.IntN(62)]
		}
		return string(b)
	}
	units := map[string]func() string{
		"values in sentences": func() string { return "password is w" + token(12) + "\n" },
		"values of variables": func() string { return "DB_PASSWORD=Zq" + token(14) + "!\n" },
		"values of a vendor":  func() string { return "ghp_" + token(36) + "\n" },
		"short values":        func() string { return "pw=" + token(5) + "7!\n" },
	}
	out := map[string]string{}
	for name, unit := range units {
		var text strings.Builder
		for text.Len() < size {
			text.WriteString(unit())
		}
		out[name] = text.String()[:size]
	}
	return out
}

// TestManyValuesCostNoMoreThanTheirLength compares the processor time of a flood
// of different secrets with that of one four times as long.
func TestManyValuesCostNoMoreThanTheirLength(t *testing.T) {
	longtest.Only(t)
	const size, factor, noise = 32 << 10, 4, 40 * time.Millisecond
	g := newGate(t, Options{})
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	spent := func(text string) time.Duration {
		least := time.Hour
		for range 3 {
			before := cputime.Spent()
			g.Event(Raw{Tool: "Bash", Output: text})
			least = min(least, cputime.Spent()-before)
		}
		return least
	}
	short := valueFloods(size)
	for name, text := range valueFloods(factor * size) {
		if long, one := spent(text), spent(short[name]); long > 2*factor*one+noise {
			t.Errorf("%s: %v for four times as much as takes %v", name, long, one)
		}
	}
}

// TestNoFloodIsWorseThanLinear compares the processor time of a flood with that
// of one four times as long. Twice the share, and what a noisy clock may add,
// are allowed; windows that overlap take far more.
func TestNoFloodIsWorseThanLinear(t *testing.T) {
	longtest.Only(t)
	const size, noise = 4 << 10, 40 * time.Millisecond
	set := sharedRules()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	spent := func(text string, strict bool) time.Duration {
		before := cputime.Spent()
		set.Read(text, scan.Options{Strict: strict})
		return cputime.Spent() - before
	}
	for name, text := range wordFloods(4*size, "", "=") {
		for _, strict := range []bool{false, !strings.ContainsAny(name, "gkpqwz")} { // strict mode adds nothing to words
			long := spent(text, strict)
			if long < noise {
				continue // it cannot be told from noise
			}
			if short := spent(text[:size], strict); long > 8*short+noise {
				t.Errorf("%.40q: %v of processor time for %d bytes, %v for %d", name, short, size, long, 4*size)
			}
		}
	}
}

// placeFloods are units of texts with the words and flags of each rule of a place or command, and with names of columns
// and members.
func placeFloods() []string {
	units := []string{
		"(id, p_password) values ('…','…'),", `["password","password","password"]`, "[a]\npassword=a b c\n",
		`steghide -p "`, "<tr><th>password</th>", "passwords: {", "passwords: [", "passwords:\n a: b\n", "密码是a，",
	}
	for _, c := range rules.Commands() {
		if c.Place.Kind != "" {
			units = append(units, c.Words[0]+"x: 'a','b'\n")
			continue
		}
		units = append(units, c.Words[0]+" a=b ")
		for flag := range strings.FieldsSeq(c.Flags + " " + c.Glued) {
			units = append(units, c.Words[0]+" "+flag, c.Words[0]+" "+flag+" ")
		}
	}
	return units
}

const floodBytes = 64 << 10

// checkCheap reads a flood, and expects that it takes at most twelve times the processor time of a flood of tokens
// in the same run. The worst takes four to nine times as much; those that were a fault took up to fifty.
func checkCheap(t *testing.T, unit, text string) {
	t.Helper()
	const most, tries = 12, 3
	for range tries { // another program may have had the caches
		tokens := readingTime(t, floodOf("ghp_16C7e42F292c6912E7710c838347Ae178B4a token=x "))
		spent := readingTime(t, text)
		if spent <= most*tokens {
			return
		}
		t.Logf("%v for %d bytes of %q, %v for tokens", spent, len(text), unit, tokens)
	}
	t.Errorf("%q takes too long", unit)
}

// readingTime returns the least processor time that a text took.
func readingTime(t *testing.T, text string) time.Duration {
	t.Helper()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	best := time.Hour
	for range 3 {
		before := cputime.Spent()
		sharedRules().Read(text, scan.Options{})
		best = min(best, cputime.Spent()-before)
	}
	return best
}

func floodOf(unit string) string { return strings.Repeat(unit, floodBytes/len(unit)+1)[:floodBytes] }

// A flood of the words of a place rule costs no more than one of a token's.
func TestFloodsOfPlacesStayCheap(t *testing.T) {
	longtest.Only(t)
	for _, unit := range placeFloods() {
		checkCheap(t, unit, floodOf(unit))
	}
}

// Names of columns and members that all differ cost no more.
func TestFloodsOfNamesStayCheap(t *testing.T) {
	longtest.Only(t)
	for _, unit := range []string{"(id, p%_password) values ('…','…'),", "<tr><th>p%_password</th>", "p%_passwords: {",
		"[a, p%_password],", "[[a]],columns=[a,p%_password],", "(a, p%_password) select 'a','b' union ",
		"p%_passwords:\n a: b\n",
		`["a%_password","x"],"index":[`, `["p%_password","a"],[["a","b"],`, "(p%_password,a)values('a','b'),"} {
		var text strings.Builder
		for i := 0; text.Len() < floodBytes; i++ {
			text.WriteString(strings.ReplaceAll(unit, "%", strconv.Itoa(i)))
		}
		checkCheap(t, unit, text.String())
	}
}
