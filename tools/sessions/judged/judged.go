// Package judged answers one question: what did people say that a real session taught?
//
// The sessions are other people's, so their words are not stored: a label has hashes of the quoted words and of the
// words of the statement, which is enough to decide whether a memory says the same.
package judged

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strings"
	"unicode/utf8"
)

// Session is a session with what each labeller, independently, would store of it.
type Session struct {
	Session string   `json:"session"` // repository/id
	Text    string   `json:"text"`    // hash of the transcript that was labelled
	Labels  [][]Item `json:"labels"`
}

// Item is something worth storing.
type Item struct {
	Turn  int        `json:"turn"`
	Kind  string     `json:"kind"`
	Who   string     `json:"who"`
	Worth string     `json:"worth"` // keep or borderline
	Said  [][]string `json:"said"`  // the quoted passages
	Meant []string   `json:"meant"` // the statement, in words of four or more letters
}

// Read reads labels.
func Read(path string) (out []Session, err error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	for line := range bytes.Lines(raw) {
		var s Session
		if err := json.Unmarshal(line, &s); err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	return out, nil
}

// ReadSentences reads labels of single sentences: by session, and by the hash of the sentence, how much it is worth.
func ReadSentences(path string) (map[string]map[string]float64, error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	out := map[string]map[string]float64{}
	for line := range bytes.Lines(raw) {
		var s struct {
			Session string
			None    string // the hashes of those that are worth nothing, one after the other
			Worth   map[string]float64
		}
		if err := json.Unmarshal(line, &s); err != nil {
			return nil, err
		}
		if s.Worth == nil {
			s.Worth = map[string]float64{}
		}
		for ; len(s.None) >= sentenceHash; s.None = s.None[sentenceHash:] {
			s.Worth[s.None[:sentenceHash]] = 0
		}
		out[s.Session] = s.Worth
	}
	return out, nil
}

const sentenceHash = 8 // digits; within one session that is enough

// Sentence returns the hash of a sentence, as labels contain it.
func Sentence(text string) string {
	sum := sha256.Sum256([]byte(strings.ToLower(text)))
	return hex.EncodeToString(sum[:sentenceHash/2])
}

// Digest returns the hash of a text, as labels contain it.
func Digest(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:16])
}

var word = regexp.MustCompile(`[\pL\pN_]+`)

// Words returns the hashes of those words of a text that have at least the given number of letters.
func Words(text string, letters int) (out []string) {
	seen := map[string]bool{}
	for _, w := range word.FindAllString(strings.ToLower(text), -1) {
		if utf8.RuneCountInString(w) < letters || seen[w] {
			continue
		}
		seen[w] = true
		sum := sha256.Sum256([]byte(w))
		out = append(out, hex.EncodeToString(sum[:4]))
	}
	return out
}

// Worth returns 2 if a labeller would store what a text says, 1 for borderline, 0 otherwise, and which of the items
// says so.
func Worth(items []Item, text string) (best, which int) {
	which = -1
	for i, item := range items {
		worth := 1
		if item.Worth == "keep" {
			worth = 2
		}
		if worth > best && item.In(text) {
			best, which = worth, i
		}
	}
	return best, which
}

// In reports whether one of the sentences of a text says the same as the item.
func (i Item) In(text string) bool {
	const quoted, meant = 0.6, 0.7 // share of the words of the shorter one
	for s := range strings.SplitSeq(strings.NewReplacer(". ", "\x00", "! ", "\x00", ": ", "\x00", "\n",
		"\x00").Replace(text), "\x00") {
		if alike(i.Meant, Words(s, meaningful), meant) {
			return true
		}
		for _, part := range i.Said {
			if alike(part, Words(s, 1), quoted) {
				return true
			}
		}
	}
	return false
}

// meaningful is the minimum length of the words of a statement that are compared.
const meaningful = 4

// NewItem hashes the words of a label. Dots separate passages.
func NewItem(turn int, kind, who, worth, said, statement string) Item {
	i := Item{Turn: turn, Kind: kind, Who: who, Worth: worth, Meant: Words(statement, meaningful)}
	for part := range strings.SplitSeq(strings.ReplaceAll(said, "...", "…"), "…") {
		if w := Words(part, 1); len(w) > 0 {
			i.Said = append(i.Said, w)
		}
	}
	return i
}

func alike(a, b []string, share float64) bool {
	const least = 3
	have := map[string]bool{}
	for _, w := range a {
		have[w] = true
	}
	n := 0
	for _, w := range b {
		if have[w] {
			n++
		}
	}
	return n >= least && float64(n) >= share*float64(min(len(a), len(b)))
}

// Score counts memories against labels; all labellers of a session have equal weight.
type Score struct {
	Sessions, Memories, Quiet, Stayed int
	Strict, Border, Keep, Met         float64
}

// Add counts the memories of a session.
func (s *Score) Add(x Session, memories []string) {
	s.Sessions++
	s.Memories += len(memories)
	share := 1 / max(1, float64(len(x.Labels)))
	quiet := true
	for _, items := range x.Labels {
		quiet = quiet && len(items) == 0
		met := map[int]bool{}
		for _, m := range memories {
			worth, which := Worth(items, m)
			switch worth {
			case 2:
				s.Strict += share
				fallthrough
			case 1:
				s.Border += share
				met[which] = true
			}
		}
		for i, item := range items {
			if item.Worth != "keep" || item.Who != "user" {
				continue
			}
			s.Keep += share
			if met[i] {
				s.Met += share
			}
		}
	}
	if quiet {
		s.Quiet++
		if len(memories) == 0 {
			s.Stayed++
		}
	}
}

func (s Score) String() string {
	n := max(1, float64(s.Memories))
	return fmt.Sprintf("%d sessions, %d memories (%.2f a session): precision %.0f %% (%.0f %% with borderline), recall "+
		"%.0f %%, quiet %d of %d",
		s.Sessions, s.Memories, float64(s.Memories)/max(1, float64(s.Sessions)), 100*s.Strict/n, 100*s.Border/n,
		100*s.Met/max(1, s.Keep), s.Stayed, s.Quiet)
}
