package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"
)

// collector writes texts as an agent would see them, of 1 to 64 KiB. A source (a module, a repository, a program)
// belongs as a whole to the half for tuning or the half for reporting.
type collector struct {
	out  map[string]*bufio.Writer // by kind and half
	dir  string
	seen map[uint64]bool // texts already written
	rnd  *rand.Rand
}

const (
	maxSource   = 4 << 20 // bytes of one source, so that no package outweighs the others
	maxFile     = 1 << 20
	minString   = 64       // minimum bytes of a string in a session that becomes a text of its own
	maxSessions = 12 << 20 // bytes of the sessions of one repository
)

// collect reads KIND=PATH: files below a directory, for "strings" the printable parts of programs, for "session" the
// transcripts that tools/sessions fetched.
func collect(dir string, sources []string) error {
	if dir == "" {
		return fmt.Errorf("-out names no directory")
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	c := &collector{dir: dir, out: map[string]*bufio.Writer{}, seen: map[uint64]bool{}, rnd: rand.New(rand.NewPCG(20, 26))}
	for _, s := range sources {
		kind, path, ok := strings.Cut(s, "=")
		if !ok {
			return fmt.Errorf("%q is not KIND=PATH", s)
		}
		var err error
		if kind == "session" {
			err = c.sessions(path)
		} else {
			err = c.tree(kind, path)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", s, err)
		}
	}
	for _, w := range c.out {
		if err := w.Flush(); err != nil {
			return err
		}
	}
	return nil
}

// secretive names sources that contain secrets on purpose.
var secretive = []string{"gitleaks", "trufflehog", "detect-secrets", "secretlint", "keepmum"}

// tree reads the files below a directory; each entry directly in it is a source.
func (c *collector) tree(kind, root string) error {
	taken := map[string]int{}
	return filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !d.Type().IsRegular() {
			return nil // an unreadable file is not a text
		}
		source := sourceOf(root, path)
		for _, s := range secretive {
			if strings.Contains(strings.TrimPrefix(path, root), s) {
				return nil
			}
		}
		kind := kind
		if kind == "code" && testCode(path) {
			kind = "test"
		}
		if taken[kind+source] > maxSource {
			return nil
		}
		raw, err := os.ReadFile(path)
		if err != nil || len(raw) == 0 {
			return nil
		}
		text := string(raw)
		switch {
		case kind == "strings":
			text = printable(raw)
		case !utf8.ValidString(text) || len(raw) > maxFile || strings.ContainsRune(text, 0):
			return nil
		}
		text = text[:min(len(text), maxSource)]
		taken[kind+source] += len(text)
		return c.cut(kind, source, text)
	})
}

// sourceOf returns the module, package or program that a file belongs to.
func sourceOf(root, path string) string {
	rel, _ := filepath.Rel(root, path)
	at := strings.IndexByte(rel, '@')
	if at >= 0 {
		module, _, _ := strings.Cut(rel[:at], "@")
		return module
	}
	first, _, _ := strings.Cut(rel, string(filepath.Separator))
	return first
}

func testCode(path string) bool {
	p := strings.ToLower(path)
	for _, part := range []string{"_test.", "/test/", "/tests/", "/testdata/", "/__tests__/", ".test.", ".spec.",
		"/fixtures/"} {
		if strings.Contains(p, part) {
			return true
		}
	}
	return false
}

// printable returns what strings(1) prints for a program.
func printable(raw []byte) string {
	if !bytes.HasPrefix(raw, []byte("\x7fELF")) {
		return ""
	}
	const least = 4
	var b strings.Builder
	from := 0
	for i, c := range append(raw, 0) {
		if c == '\t' || c >= ' ' && c < 0x7f {
			continue
		}
		if i-from >= least {
			b.Write(raw[from:i])
			b.WriteByte('\n')
		}
		from = i + 1
	}
	return b.String()
}

// cut writes a text in pieces of 1 to 64 KiB, most of them small.
func (c *collector) cut(kind, source, text string) error {
	for text != "" {
		n := min(len(text), int(1024*math.Exp2(6*c.rnd.Float64())))
		for n < len(text) && text[n-1] != '\n' && n > 1 && !utf8.RuneStart(text[n]) {
			n--
		}
		if err := c.write(kind, source, text[:n]); err != nil {
			return err
		}
		text = text[n:]
	}
	return nil
}

func (c *collector) write(kind, source, text string) error {
	h := fnv.New64a()
	io.WriteString(h, text)
	if c.seen[h.Sum64()] {
		return nil
	}
	c.seen[h.Sum64()] = true
	h = fnv.New64a()
	io.WriteString(h, source)
	half := [2]string{"tune", "report"}[h.Sum64()>>7&1]
	name := kind + "." + half
	if c.out[name] == nil {
		f, err := os.Create(filepath.Join(c.dir, name+".jsonl"))
		if err != nil {
			return err
		}
		c.out[name] = bufio.NewWriterSize(f, 1<<20)
	}
	line, err := json.Marshal(sample{Text: text, Kind: "fp", Source: source})
	if err != nil {
		return err
	}
	c.out[name].Write(line)
	return c.out[name].WriteByte('\n')
}

// sessions reads transcripts in the layout of tools/sessions: DIR/NAME/FILE, one source for each repository.
func (c *collector) sessions(dir string) error {
	files, err := filepath.Glob(filepath.Join(dir, "*", "*"))
	if err != nil {
		return err
	}
	taken := map[string]int{}
	for _, path := range files {
		source := filepath.Base(filepath.Dir(path))
		if taken[source] > maxSessions {
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		n, err := c.session(source, string(text), strings.HasSuffix(path, ".jsonl"))
		if err != nil {
			return err
		}
		taken[source] += n
	}
	return nil
}

// session reads a transcript: from JSON lines the decoded strings, as the gate sees them.
func (c *collector) session(source, text string, lines bool) (int, error) {
	if !lines {
		return len(text), c.cut("session", source, text)
	}
	taken := 0
	for line := range strings.Lines(text) {
		var v any
		if json.Unmarshal([]byte(line), &v) != nil {
			continue
		}
		var err error
		walk(v, func(s string) {
			if len(s) < minString || err != nil || base64Image(s) {
				return
			}
			before := len(c.seen)
			if err = c.write("session", source, s[:min(len(s), maxFile)]); len(c.seen) > before {
				taken += len(s)
			}
		})
		if err != nil {
			return taken, err
		}
	}
	return taken, nil
}

func base64Image(s string) bool {
	return strings.HasPrefix(s, "iVBOR") || strings.HasPrefix(s, "/9j/")
}

func walk(v any, do func(string)) {
	switch v := v.(type) {
	case string:
		do(v)
	case []any:
		for _, e := range v {
			walk(e, do)
		}
	case map[string]any:
		for _, e := range v {
			walk(e, do)
		}
	}
}
