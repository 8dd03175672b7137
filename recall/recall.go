package recall

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"keepmum/sorting"
	"keepmum/store"
)

// Source provides what was stored about earlier work.
type Source interface {
	Search(ctx context.Context, q store.Query) (store.Results, error)
	RecentSessions(ctx context.Context, project int64, limit int) ([]store.SessionRow, error)
	SessionLines(ctx context.Context, session int64, limit int) ([]store.Line, error)
	SessionPrompts(ctx context.Context, session int64, limit int) ([]store.Line, error)
	Told(ctx context.Context, session int64) ([]int64, error)
	// ToldOften returns what at least that many sessions of a project were told at prompts, of late.
	ToldOften(ctx context.Context, project int64, sessions int) ([]int64, error)
	WordWeights(ctx context.Context, text string) (map[string]float64, error)
	Subjects(ctx context.Context, q store.Subjects) (store.About, error)
	Talk(ctx context.Context, sessions, docs []int64) ([]store.Line, error)
	Touched(ctx context.Context, project int64, dir string) (store.Touched, error)
	Notes(ctx context.Context, session int64) ([]store.NoteRow, int64, error)
	Session(ctx context.Context, row int64) (store.SessionRow, error)
	Memories(ctx context.Context, f store.MemoryFilter) ([]store.MemoryRow, error)
	// Unmerged returns, by document, the branches that were neither merged nor are checked out.
	Unmerged(ctx context.Context, docs []int64) (map[int64]string, error)
}

// Ask is the situation for which something is looked up.
type Ask struct {
	Project        int64
	Name           string // of the project, for the headline
	Agent, Session string // the current session, by the agent's id; "" = none
	Dir            string // the agent's directory
	Branch         string // the branch that is checked out there; "" = unknown
	Doc            int64  // the stored prompt; 0 = none
	Row            int64  // row id of that session; 0 = none
	Prompt         string // "" = the session begins
	Asked          bool   // somebody asks: what is near is told, too, not only what surely matters
	First          int64  // row id of an earlier session to tell first; 0 = the latest
	Compacted      bool   // the session continues after a compaction: its own digest is told first
	Tokens         int    // maximum size of the block
	MaxEntries     int
	Now            time.Time
	Until          time.Time // when the agent stops waiting, by the clock of the machine; zero = unknown
	Model          *Model    // nil = the built-in model

	Memories []int64                                     // projects whose memories are used; empty = none
	Files    func(s store.SessionRow, done int64) []File // what happened to its files since; nil = not told
	Trust    func(*store.MemoryRow) float64              // confidence in a memory now; nil = as stored
}

// Reasons for the content of a block.
const (
	ReasonWords   = "fts"         // found by the words of the prompt
	ReasonRecency = "recency"     // the last sessions
	ReasonSame    = "same_topic"  // the prompt continues the subject of the session
	ReasonEmpty   = "empty"       // nothing relevant
	ReasonHeld    = "quarantined" // what was relevant looks like an instruction to the model
)

// Block is the text to tell, without its fence. It is empty if nothing is worth telling. Because it was read from a
// database, it must pass a gate before it is fenced and told.
type Block struct {
	Text    string
	Reason  string
	Entries []store.Injected // the source of each line, in order
}

const (
	// sameTopic is the share of a prompt's words that the session's last prompts must contain for the prompt to
	// continue their subject.
	sameTopic = 0.2
	// vague is the number of content words below which a prompt gives nothing to search for.
	vague = 2
)

// Find looks for what an agent should be told.
func Find(ctx context.Context, src Source, a Ask) (Block, error) {
	sessions, err := src.RecentSessions(ctx, a.Project, 5)
	if err != nil {
		return Block{}, err
	}
	past := slices.DeleteFunc(sessions, func(s store.SessionRow) bool { return s.ID == a.Row && !a.Compacted })
	if a.Prompt == "" {
		return primer(ctx, src, newWriter(a, nil), past)
	}
	said, err := earlierWords(ctx, src, a)
	if err != nil {
		return Block{}, err
	}
	words := store.ContentWords(a.Prompt)
	if len(said) > 0 && (len(words) < vague || share(words, said) >= sameTopic) {
		return Block{Reason: ReasonSame}, nil
	}
	told, err := src.Told(ctx, a.Row)
	if err != nil {
		return Block{}, err
	}
	if !a.Asked && (len(words) < vague || strings.HasPrefix(a.Prompt, "/") || remarkOf(a.Prompt) != specific) {
		return Block{Reason: ReasonEmpty}, nil
	}
	return related(ctx, src, newWriter(a, told))
}

// earlierWords returns the content words of the session's last three prompts before the current one. The current one is
// recognised by its id: it is not the newest of them if the clock was set back.
func earlierWords(ctx context.Context, src Source, a Ask) (map[string]bool, error) {
	const latest = 3
	prompts, err := src.SessionPrompts(ctx, a.Row, latest+1)
	if err != nil {
		return nil, err
	}
	prompts = slices.DeleteFunc(prompts, func(p store.Line) bool { return p.ID == a.Doc })
	var said []string
	for _, p := range prompts[:min(len(prompts), latest)] {
		said = append(said, store.ContentWords(p.Text)...)
	}
	return wordSet(said), nil
}

// primer writes what was being done last, and the memories that are told at a start. After a compaction, the session's
// own digest comes first.
func primer(ctx context.Context, src Source, w *writer, past []store.SessionRow) (Block, error) {
	if w.a.Compacted {
		own := func(s store.SessionRow) float64 { return is(s.ID == w.a.Row) }
		sorting.Stable(past, func(a, b store.SessionRow) int { return cmp.Compare(own(b), own(a)) })
	}
	if first, err := src.Session(ctx, w.a.First); err == nil && w.a.First != 0 && first.Project == w.a.Project {
		past = append([]store.SessionRow{first}, past...)
	}
	if err := w.lastWork(ctx, src, past); err != nil {
		return Block{}, err
	}
	if err := facts(ctx, src, w); err != nil {
		return Block{}, err
	}
	return w.block(ReasonRecency), nil
}

// related writes what was settled earlier about the prompt.
func related(ctx context.Context, src Source, w *writer) (Block, error) {
	q := store.Subjects{Text: w.a.Prompt, Projects: w.a.scope(), Without: w.a.Row}
	often, err := toldOften(ctx, src, w.a)
	if err != nil {
		return Block{}, err
	}
	found, err := statements(ctx, src, w.a.model(), q, hearer{w.a.Asked, w.known, often})
	if err != nil {
		return Block{}, err
	}
	told := lookAgain(ctx, src, q, choose(found, w.known), found, w.known)
	told, err = withReplacement(ctx, src, told, found, w.known)
	if err != nil {
		return Block{}, err
	}
	for i, st := range told {
		most := maxOther
		switch {
		case st.kind == store.KindCommit:
			most = maxCommit
		case i == 0 || told[0].id == st.replaced:
			most = maxBest
		}
		room := w.room - lineWithout - needed(told[i+1:])
		if st.kind != store.KindCommit {
			most = max(most, min(maxBest, room)) // what others leave
		}
		w.settled(st, most, room)
	}
	return w.block(ReasonWords), nil
}

// oftenTold is the number of sessions that were told of a statement, from which it must be clearly about a prompt to be
// told again. In eight real projects six of ten told lines were such, at prompts about anything.
const oftenTold = 3

func toldOften(ctx context.Context, src Source, a Ask) (map[int64]bool, error) {
	if a.Asked {
		return nil, nil
	}
	ids, err := src.ToldOften(ctx, a.Project, oftenTold)
	often := map[int64]bool{}
	for _, id := range ids {
		often[id] = true
	}
	return often, err
}

// lookAgain looks for a later statement that takes back the best one, if there is time. It uses at most half of the
// time left, so that what was already found is told in any case.
func lookAgain(
	ctx context.Context, src Source, q store.Subjects, chosen, all []statement, known map[int64]bool,
) []statement {
	if end, ok := ctx.Deadline(); ok {
		left := time.Until(end)
		if left < littleTime/2 {
			return chosen
		}
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, left/2)
		defer cancel()
	}
	told, err := withLater(ctx, src, q, chosen, all, known)
	if err != nil {
		return chosen
	}
	return told
}

func (a Ask) model() *Model {
	if a.Model == nil {
		return &builtIn
	}
	return a.Model
}

// scope returns the projects to search: the ask's own and, if they are used, the memories without a project.
func (a Ask) scope() []int64 {
	out := []int64{a.Project}
	if slices.Contains(a.Memories, store.NoProjectRow) {
		out = append(out, store.NoProjectRow)
	}
	return out
}

// enough is the share of the weight of a prompt's words that a hit must contain. Rare words weigh more, and a word that
// no document contains weighs most: a prompt about something new shares only common words with earlier work.
const enough = 0.35

// Relevant requires two words in common (half of them for a short prompt) that together are enough: one common word
// makes a hit, but not a relevant one.
func Relevant(h store.Hit, weights map[string]float64) bool {
	held, all, n := 0.0, 0.0, 0
	has := wordSet(store.ContentWords(h.Title + " " + plain(h.Snippet)))
	for w, weight := range weights {
		all += weight
		if has[w] {
			held += weight
			n++
		}
	}
	return (n >= 2 || len(weights) <= 2 && n >= 1) && held >= enough*all
}
