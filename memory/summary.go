package memory

import (
	"errors"
	"fmt"
	"path"
	"strings"
	"time"

	"keepmum/privacy"
)

// Draft is a summary to be written.
type Draft struct {
	Title, Description, Agent, Session, Repo, Branch privacy.Clean
	Tags                                             []privacy.Clean
	Intent                                           privacy.Clean // up to 150 words are kept
	Happened                                         privacy.Clean // up to 200
	At                                               time.Time     // when the session ended; determines the directory
}

const (
	intentWords   = 150
	happenedWords = 200
)

// WriteSummary writes what happened in a session. It rewrites an earlier summary of the same session in place.
func (t *Tree) WriteSummary(d Draft, by Stamp) (out Summary, err error) {
	err = t.locked(func() error {
		out, err = t.putSummary(newSummary(d), by)
		return err
	})
	return out, err
}

func newSummary(d Draft) Summary {
	s := Summary{
		Title: line(d.Title), Created: d.At.UTC(), Description: line(d.Description), Agent: line(d.Agent),
		Session: line(d.Session), Repo: line(d.Repo), Branch: line(d.Branch),
		Body: "## User intent\n\n" + firstWords(d.Intent, intentWords) + "\n\n## What happened\n\n" +
			firstWords(d.Happened, happenedWords),
	}
	for _, tag := range d.Tags {
		s.Tags = appendNew(s.Tags, line(tag))
	}
	return s
}

// firstWords returns the first words of a text, with its line breaks.
func firstWords(c privacy.Clean, n int) string {
	text := strings.TrimSpace(c.String())
	inWord := false
	for i, r := range text {
		space := r == ' ' || r == '\n' || r == '\t'
		if space && inWord {
			if n--; n == 0 {
				return text[:i] + " …"
			}
		}
		inWord = !space
	}
	return text
}

// WriteSummaryOver is [Tree.WriteSummary] for a caller that knows the session's existing summary (nil = none), so that
// the other summaries need not be read.
func (t *Tree) WriteSummaryOver(old *Summary, d Draft, by Stamp) (out Summary, err error) {
	err = t.locked(func() error {
		out, err = t.putOver(old, newSummary(d), by)
		return err
	})
	return out, err
}

func (t *Tree) putSummary(s Summary, by Stamp) (Summary, error) {
	l, err := t.load(summaryDir)
	if err != nil {
		return Summary{}, err
	}
	for i := range l.Summaries {
		if old := &l.Summaries[i]; s.Session != "" && old.Session == s.Session && old.Agent == s.Agent {
			return t.putOver(old, s, by)
		}
	}
	return t.putOver(nil, s, by)
}

func (t *Tree) putOver(old *Summary, s Summary, by Stamp) (Summary, error) {
	if s.Created.IsZero() {
		s.Created = by.Now.UTC()
	}
	s.Source = by.By.String()
	if old != nil {
		return t.replaceSummary(*old, s)
	}
	s.ID = Slug(s.Title)
	s.Path = path.Join(summaryDir, s.Created.Format("20060102"), s.Created.Format("150405"), s.ID+".md")
	out, err := t.saveSummary(s, newDocument())
	for _, name := range []string{hashed(s.ID, s.Session, s.Body), hashed("", s.Session, s.Body)} {
		if !errors.Is(err, errTaken) && !errors.Is(err, errUnnamed) {
			break
		}
		s.ID = name
		s.Path = path.Join(path.Dir(s.Path), s.ID+".md")
		out, err = t.saveSummary(s, newDocument())
	}
	return out, err
}

// replaceSummary rewrites a session's summary. Its file, its id and what a person added to the frontmatter stay.
func (t *Tree) replaceSummary(old, s Summary) (Summary, error) {
	data, err := t.read(old.Path)
	if err != nil {
		return Summary{}, err
	}
	_, doc, err := parseSummary(old.Path, data)
	if err != nil || hashOf(data) != old.Hash {
		return Summary{}, fmt.Errorf("%s: %w", t.Shown(old.Path), ErrChanged)
	}
	s.ID, s.Path, s.Hash, s.Created = old.ID, old.Path, old.Hash, old.Created
	return t.saveSummary(s, doc)
}

// errUnnamed means that the gate saw a secret in the name made of the title.
var errUnnamed = errors.New("the title makes no name")

func (t *Tree) saveSummary(s Summary, doc *document) (out Summary, err error) {
	if !safeID(s.ID) || s.Title == "" {
		return Summary{}, fmt.Errorf("%w: a summary needs a title", ErrInvalid)
	}
	doc.fillSummary(s)
	unnamed := false
	_, err = t.write(s.Path, doc, s.Hash, func(data []byte) (err error) {
		out, _, err = parseSummary(s.Path, data)
		if err == nil && out.ID != s.ID {
			unnamed, err = true, errTitle
		}
		return err
	})
	if unnamed {
		err = fmt.Errorf("%w: %w", errUnnamed, err)
	}
	return out, err
}
