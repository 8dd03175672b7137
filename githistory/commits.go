package githistory

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
)

const (
	maxObject = 1 << 20 // anything larger is not a message
	maxFiles  = 100     // paths kept per commit
	maxBroken = 50      // broken objects skipped in one call
)

// Commit is the content of a commit.
type Commit struct {
	Hash      string
	Message   string // as UTF-8, without the lines that name people; "" = unreadable
	Author    string
	Written   time.Time // by its author
	Committed time.Time // changes with a rebase
	Merge     bool
	Files     []string // changed paths, up to maxFiles
}

// List returns the newest commits of the history, newest first. If a part of it cannot be read, it returns the rest and
// an error.
func (r *Repo) List(ctx context.Context, most int) ([]string, error) {
	tips := r.Refs.Tips()
	if len(tips) == 0 {
		return nil, nil
	}
	var out []string
	err := r.run(ctx, lines(tips), func(from io.Reader) error {
		for scan := bufio.NewScanner(from); scan.Scan(); {
			if !isHash(scan.Text()) {
				return fmt.Errorf("git listed something that is not a commit")
			}
			out = append(out, scan.Text())
		}
		return nil
	}, "rev-list", "--ignore-missing", "--max-count="+strconv.Itoa(most), "--stdin")
	return out, err
}

func lines(all []string) string { return strings.Join(all, "\n") + "\n" }

// Commits reads some commits. It omits a damaged commit; if only the files of a commit cannot be read, its message is
// still returned.
func (r *Repo) Commits(ctx context.Context, hashes []string) ([]Commit, error) {
	small, err := r.readable(ctx, hashes)
	if err != nil {
		return nil, err
	}
	byHash := map[string]*Commit{}
	err = skipBroken(ctx, small, func(some []string) (int, error) { return r.messages(ctx, some, byHash) })
	if err != nil {
		return nil, err
	}
	var whole []string
	for _, h := range small {
		if c := byHash[h]; c != nil && !c.Merge && !r.shallow[h] {
			whole = append(whole, h)
		}
	}
	err = skipBroken(ctx, whole, func(some []string) (int, error) { return r.files(ctx, some, byHash) })
	if err != nil {
		return nil, err
	}
	var out []Commit
	for _, h := range hashes {
		if c := byHash[h]; c != nil {
			out = append(out, *c)
		}
	}
	return out, nil
}

// skipBroken calls do with a list and continues after each element that fails. It fails if ctx ends or git does not
// start.
func skipBroken(ctx context.Context, list []string, do func([]string) (done int, err error)) error {
	for broken := 0; len(list) > 0 && broken < maxBroken; broken++ {
		done, err := do(list)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err == nil {
			return nil
		}
		list = list[min(done+1, len(list)):]
	}
	return nil
}

// readable returns the hashes that are commits of a plausible size.
func (r *Repo) readable(ctx context.Context, hashes []string) ([]string, error) {
	var out []string
	err := skipBroken(ctx, hashes, func(some []string) (done int, err error) {
		text, err := r.output(ctx, lines(some), "cat-file", "--batch-check", "--buffer")
		for line := range strings.Lines(string(text)) {
			f := strings.Fields(line)
			done++
			if len(f) != 3 || f[1] != "commit" {
				continue
			}
			if size, nerr := strconv.Atoi(f[2]); nerr == nil && size <= maxObject && isHash(f[0]) {
				out = append(out, f[0])
			}
		}
		return done, err
	})
	return out, err
}

// messages reads commits in git's batch format: each is preceded by its length, so its content cannot end it early.
func (r *Repo) messages(ctx context.Context, hashes []string, into map[string]*Commit) (done int, err error) {
	err = r.run(ctx, lines(hashes), func(from io.Reader) error {
		in := bufio.NewReaderSize(from, 64<<10)
		for ; done < len(hashes); done++ {
			c, err := readObject(in)
			if err != nil {
				return err
			}
			if c != nil {
				into[c.Hash] = c
			}
		}
		return nil
	}, "cat-file", "--batch", "--buffer")
	return done, err
}

func readObject(in *bufio.Reader) (*Commit, error) {
	head, err := in.ReadString('\n')
	if err != nil {
		return nil, err
	}
	f := strings.Fields(head)
	if len(f) != 3 {
		return nil, nil // missing
	}
	size, err := strconv.Atoi(f[2])
	if err != nil || size > maxObject {
		return nil, errors.New("unexpected output of git")
	}
	data := make([]byte, size+1) // followed by a line end
	if _, err := io.ReadFull(in, data); err != nil {
		return nil, err
	}
	c := parse(data[:size])
	c.Hash = f[0]
	return c, nil
}

// parse parses a commit: header lines, an empty line, the message.
func parse(data []byte) *Commit {
	c := &Commit{}
	head, message, _ := bytes.Cut(data, []byte("\n\n"))
	parents, encoding := 0, ""
	for line := range strings.Lines(string(head)) {
		key, value, _ := strings.Cut(strings.TrimRight(line, "\n"), " ")
		switch key {
		case "parent":
			parents++
		case "author":
			c.Author, c.Written = signature(value)
		case "committer":
			_, c.Committed = signature(value)
		case "encoding":
			encoding = value
		}
	}
	c.Merge = parents > 1
	c.Message = messageText(message, encoding)
	c.Author = messageText([]byte(c.Author), encoding)
	return c
}

// signature parses a name, an address and a time.
func signature(s string) (name string, at time.Time) {
	name, _, _ = strings.Cut(s, " <")
	f := strings.Fields(s[strings.LastIndexByte(s, '>')+1:])
	if len(f) == 0 {
		return name, at
	}
	sec, err := strconv.ParseInt(f[0], 10, 64)
	const last = 253402300799 // the end of the year 9999: RFC 3339 has no later dates
	if err != nil || sec < 0 || sec > last {
		return name, time.Unix(0, 0).UTC()
	}
	return name, time.Unix(sec, 0).UTC()
}

// files reads the paths that commits changed. done is the number of commits that were read completely.
func (r *Repo) files(ctx context.Context, hashes []string, into map[string]*Commit) (done int, err error) {
	place := make(map[string]int, len(hashes))
	for i, h := range hashes {
		place[h] = i
	}
	err = r.run(ctx, lines(hashes), func(from io.Reader) error {
		var c *Commit
		in := bufio.NewReaderSize(from, 64<<10)
		for {
			token, err := in.ReadString(0)
			if errors.Is(err, io.EOF) {
				return nil
			}
			if err != nil {
				return err
			}
			token = token[:len(token)-1]
			if !strings.HasPrefix(token, ":") { // each path follows a record of its change
				done, c = place[token], into[token]
				continue
			}
			name, err := in.ReadString(0)
			if err != nil {
				return err
			}
			if c != nil && len(c.Files) < maxFiles {
				c.Files = append(c.Files, plainPath(name[:len(name)-1]))
			}
		}
	}, "diff-tree", "--stdin", "-r", "--root", "--raw", "-z", "--abbrev=4", "--no-renames", "--no-ext-diff",
		"--no-textconv", "--ignore-submodules=all")
	return done, err
}
