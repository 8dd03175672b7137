package daemon

import (
	"context"
	"fmt"
	"hash/fnv"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"

	"keepmum/memory"
	"keepmum/privacy"
	"keepmum/store"
	"keepmum/team"
)

// teamPlace stores shared items: the member's own memories in files, everything else only in the index. A ref is
// "m/ROOT/NAME" for a memory with a file, "d/ID" for a document, "t/ITEM" for a received item.
type teamPlace struct {
	d  *Daemon
	mu sync.Mutex
	// by project and document, because most items have not changed since the last time
	cache map[int64]map[int64]cachedItem
	seen  map[string]uint64 // by ref: what the last round saw of each memory with a file, or wrote
}

func newTeamPlace(d *Daemon) *teamPlace {
	return &teamPlace{d: d, cache: map[int64]map[int64]cachedItem{}, seen: map[string]uint64{}}
}

type cachedItem struct {
	sum  uint64
	item team.Local
}

// Items lists what may be shared of a project, cleaned by the current rules, for a round: what is edited after it is
// not overwritten.
func (p *teamPlace) Items(ctx context.Context, project int64) ([]team.Local, error) {
	return p.list(ctx, project, true)
}

// Shown lists the same for a person.
func (p *teamPlace) Shown(ctx context.Context, project int64) ([]team.Local, error) {
	return p.list(ctx, project, false)
}

func (p *teamPlace) list(ctx context.Context, project int64, round bool) ([]team.Local, error) {
	rows, err := p.d.db.Memories(ctx, store.MemoryFilter{Projects: []int64{project}, AnyState: true, Own: true})
	if err != nil {
		return nil, err
	}
	docs, err := p.d.db.TeamDocs(ctx, project)
	if err != nil {
		return nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	l := lister{p, p.cache[project], make(map[int64]cachedItem, len(rows)+len(docs))}
	var out []team.Local
	for i := range rows {
		m := &rows[i]
		if !m.Cloned && m.Branch == "" { // a memory of a branch is shared once the branch is merged
			ref := memoryRef(m.Root, m.Name)
			out = append(out, l.cached(m.ID, rawOf(m), ref, privacy.Const(team.KindMemory), p.d.fileOf(*m)))
			if round {
				p.seen[ref] = l.now[m.ID].sum
			}
		}
	}
	for _, doc := range docs {
		out = append(out, l.cached(doc.ID, rawOfDoc(doc), "d/"+strconv.FormatInt(doc.ID, 10),
			privacy.Const(team.KindNote), ""))
	}
	p.cache[project] = l.now
	return out, nil
}

func memoryRef(root int64, name string) string {
	return "m/" + strconv.FormatInt(root, 10) + "/" + name
}

// itemSum changes with an item and with the rules that it is cleaned by.
func itemSum(raw team.Raw, ref string) uint64 {
	h := fnv.New64a()
	fmt.Fprintf(h, "%s %q", privacy.RulesVersion(), []any{raw, ref})
	return h.Sum64()
}

// isNew reports whether the last round saw another version of a memory than this one.
func (p *teamPlace) isNew(m *store.MemoryRow, ref string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	sum, ok := p.seen[ref]
	return ok && sum != itemSum(rawOf(m), ref)
}

// wrote records a version of a memory that came from the team.
func (p *teamPlace) wrote(m *store.MemoryRow, ref string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.seen[ref] = itemSum(rawOf(m), ref)
}

// lister cleans the items of a project that have changed since the last time.
type lister struct {
	p        *teamPlace
	old, now map[int64]cachedItem
}

// cached returns an item. An editor does not change the date in the file that it changes, so the time of the file
// counts if that is later.
func (l lister) cached(id int64, raw team.Raw, ref string, kind privacy.Clean, file string) team.Local {
	c, ok := l.old[id]
	if sum := itemSum(raw, ref); !ok || c.sum != sum {
		content, _ := l.p.clean(raw)
		if st, err := os.Lstat(file); err == nil {
			content.Updated = max(content.Updated, st.ModTime().UnixMilli())
		}
		c = cachedItem{sum, team.Local{Ref: ref, Kind: kind, Content: content}}
	}
	l.now[id] = c
	return c.item
}

func rawOf(m *store.MemoryRow) team.Raw {
	return team.Raw{Form: m.Form, Kind: m.Kind, Title: m.Title, Body: m.Body(), Key: m.Key, Tags: m.Tags(),
		State: string(m.State), Confidence: m.Confidence, Created: m.Created, Updated: m.Updated}
}

// noteTitle is how much of a note becomes its title.
const noteTitle = 80

// rawOfDoc converts a note to the form of a memory.
func rawOfDoc(d store.TeamDoc) team.Raw {
	out := team.Raw{Form: string(memory.Learning), Kind: string(memory.Insight), Body: d.Text, Tags: []string{"note"},
		State: string(store.MemoryActive), Confidence: toldConfidence, Created: d.At, Updated: d.At}
	out.Title, _, _ = strings.Cut(strings.TrimSpace(d.Text), "\n")
	out.Title = strings.ToValidUTF8(out.Title[:min(len(out.Title), noteTitle)], "")
	if d.Role == store.NoteDecision {
		out.Form, out.Kind = string(memory.Decision), ""
	}
	return out
}

// clean passes an outgoing or incoming item through the gate.
func (p *teamPlace) clean(r team.Raw) (team.Content, []privacy.Finding) {
	fields := map[string]string{"form": r.Form, "kind": r.Kind, "title": r.Title, "body": r.Body, "label": r.Key,
		"state": r.State}
	list(fields, "tag", r.Tags)
	c := p.d.intake.Gate().Event(privacy.Raw{Fields: fields})
	f := c.Fields
	out := team.Content{Form: f["form"], Kind: f["kind"], Title: f["title"], Body: f["body"], Key: f["label"],
		State: f["state"], Confidence: r.Confidence, Created: r.Created, Updated: r.Updated}
	for i := range r.Tags {
		out.Tags = append(out.Tags, f[item("tag", i)])
	}
	return out, c.Findings
}

// Put stores received items. The member's own memories become files like all others on this machine.
func (p *teamPlace) Put(ctx context.Context, project int64, in []team.Incoming,
	note func([]team.Local) error) ([]team.Local, error) {
	said, err := p.said(ctx, project)
	if err != nil {
		return nil, err
	}
	out := make([]team.Local, len(in))
	found := make([][]privacy.Finding, len(in))
	var own []int
	others := map[string][]int{}
	for i, x := range in {
		out[i].Content, found[i] = p.clean(x.Content)
		out[i].Kind = privacy.Const(team.KindMemory)
		if x.Mine && x.Kind == team.KindMemory {
			own = append(own, i)
			continue
		}
		out[i].Ref = "t/" + uuid.UUID(x.ID).String()
		// it also came another way, for example with the repository
		if !said[words(x.Content.Title+" "+x.Content.Body)] {
			others[x.Author.String()] = append(others[x.Author.String()], i)
		}
	}
	if err := note(out); err != nil {
		return nil, err
	}
	for _, list := range others {
		if err := p.putOthers(ctx, project, in, list, found, out); err != nil {
			return nil, err
		}
	}
	return out, p.putOwn(ctx, project, ownWork{in, own, found, out, note})
}

// said returns the texts of the member's own memories of a project.
func (p *teamPlace) said(ctx context.Context, project int64) (map[string]bool, error) {
	rows, err := p.d.db.Memories(ctx, store.MemoryFilter{Projects: []int64{project}, AnyState: true, Own: true})
	out := map[string]bool{}
	for i := range rows {
		out[words(rows[i].Title+" "+rows[i].Body())] = true
	}
	return out, err
}

func words(text string) string { return strings.Join(strings.Fields(strings.ToLower(text)), " ") }

// othersConfidence is the factor for the confidence of items from other members, compared with one's own.
const othersConfidence = 0.7

// putOthers indexes the items of one author under their ids.
func (p *teamPlace) putOthers(ctx context.Context, project int64, in []team.Incoming, list []int,
	found [][]privacy.Finding, out []team.Local) error {
	first := in[list[0]]
	path := privacy.Join("/", privacy.Const("team"), p.word(strconv.FormatInt(project, 10)), first.Author)
	root, err := p.d.db.PutMemoryRoot(ctx, project, store.RootTeam, path, !first.Mine)
	if err != nil {
		return err
	}
	files := make([]store.MemoryFile, 0, len(list))
	for _, i := range list {
		content := &out[i].Content
		if err := p.d.withoutForgotten(ctx, append(pointers(content.Tags), &content.Title, &content.Body)...); err != nil {
			return err
		}
		f := teamFile(in[i], *content, found[i])
		f.Name = p.word(uuid.UUID(in[i].ID).String())
		f.Origin = privacy.Join("/", privacy.Const("team"), in[i].Author, in[i].Machine)
		f.Path = f.Name
		files = append(files, f)
	}
	changes, err := p.d.db.IndexMemories(ctx, root.ID, files, store.IndexOptions{KeepMissing: true})
	for j, i := range list {
		if slices.Contains(changes.Refused, files[j].Name.String()) { // it was forgotten here
			out[i].Ref = ""
		}
	}
	return err
}

func (p *teamPlace) word(s string) privacy.Clean {
	c, _ := p.d.intake.Gate().Text(s)
	return c
}

func teamFile(in team.Incoming, c team.Content, found []privacy.Finding) store.MemoryFile {
	f := store.MemoryFile{Form: c.Form, Kind: c.Kind, State: store.MemoryActive, Confidence: c.Confidence, Title: c.Title,
		Body: c.Body, Tags: c.Tags, Key: c.Key, Created: time.UnixMilli(c.Created), Updated: time.UnixMilli(c.Updated),
		Findings: found}
	if !in.Mine {
		f.Confidence *= othersConfidence
	}
	if in.Conflict || c.State.String() != string(store.MemoryActive) {
		f.State = store.MemoryArchived
	} else {
		f.Times = []store.Span{{From: f.Created}}
	}
	return f
}

// Forget removes copies permanently and searches every byte for remains.
func (p *teamPlace) Forget(ctx context.Context, _ int64, gone []team.Gone) error {
	roots, err := p.d.db.TeamRoots(ctx)
	if err != nil {
		return err
	}
	when := map[int64]time.Time{}
	for _, g := range gone {
		ids, err := p.docsOf(ctx, roots, g)
		if err != nil {
			return err
		}
		for _, id := range ids {
			when[id] = g.At
		}
	}
	if len(when) == 0 {
		return nil
	}
	plan, err := p.d.db.PlanForget(ctx, store.Selection{IDs: slices.Sorted(maps.Keys(when))})
	if err != nil {
		return err
	}
	plan.When = when
	out, err := p.d.forgetPlan(ctx, plan, false)
	// the copies are gone; the text found belongs to something else on this machine that says the same
	if err == nil && len(out.Found) > 0 {
		p.d.log.Warn("the text of something that the team forgot is also in other files", "files", len(out.Found))
	}
	return err
}

// docsOf returns the documents of an item.
func (p *teamPlace) docsOf(ctx context.Context, roots []store.MemoryRoot, g team.Gone) ([]int64, error) {
	if id, ok := strings.CutPrefix(g.Ref, "d/"); ok {
		n, err := strconv.ParseInt(id, 10, 64)
		return []int64{n}, err
	}
	filters := make([]store.MemoryFilter, 0, len(roots)+1)
	if root, name, ok := splitRef(g.Ref); ok {
		filters = append(filters, store.MemoryFilter{Root: root, Name: name, AnyState: true})
	}
	for _, r := range roots {
		filters = append(filters, store.MemoryFilter{Root: r.ID, Name: uuid.UUID(g.ID).String(), AnyState: true})
	}
	var ids []int64
	for _, f := range filters {
		rows, err := p.d.db.Memories(ctx, f)
		if err != nil {
			return nil, err
		}
		for _, m := range rows {
			ids = append(ids, m.ID)
		}
	}
	return ids, nil
}

// splitRef parses the ref of a memory with a file.
func splitRef(ref string) (root int64, name string, ok bool) {
	rest, ok := strings.CutPrefix(ref, "m/")
	number, name, _ := strings.Cut(rest, "/")
	root, err := strconv.ParseInt(number, 10, 64)
	return root, name, ok && err == nil
}

// Drop removes what others wrote about a project, and the backups that contain it.
func (p *teamPlace) Drop(ctx context.Context, project int64) error {
	roots, err := p.d.db.TeamRoots(ctx)
	if err != nil {
		return err
	}
	dropped := false
	for _, r := range roots {
		if r.Project == project {
			if err := p.d.db.DropMemoryRoot(ctx, r.ID); err != nil {
				return err
			}
			dropped = true
		}
	}
	if !dropped {
		return nil
	}
	if err := p.d.db.Checkpoint(ctx); err != nil {
		return err
	}
	_, err = p.d.replaceBackups(ctx)
	return err
}

// Silence removes what one author wrote about a project from the index.
func (p *teamPlace) Silence(ctx context.Context, project int64, author string) error {
	roots, err := p.d.db.TeamRoots(ctx)
	if err != nil {
		return err
	}
	for _, r := range roots {
		if r.Project == project && strings.HasSuffix(r.Path, "/"+author) {
			return p.d.db.DropMemoryRoot(ctx, r.ID)
		}
	}
	return nil
}

// forgetShared records which entries of a plan are shared before anything is removed; the next sync sends their
// tombstones.
func (d *Daemon) forgetShared(ctx context.Context, plan store.ForgetPlan) error {
	t, joined, err := d.db.Team(ctx)
	if err != nil || !joined {
		return err
	}
	var list []store.TeamForgotten
	rows, err := d.db.Memories(ctx, store.MemoryFilter{IDs: notNil(plan.Memories), AnyState: true})
	if err != nil {
		return err
	}
	for i := range rows {
		m := &rows[i]
		if _, known := plan.When[m.ID]; known {
			continue
		}
		f := store.TeamForgotten{Ref: d.team.RefMAC(memoryRef(m.Root, m.Name)), Graves: team.Graves(t.Key, m.Title, m.Body())}
		if id, err := uuid.Parse(m.Name); err == nil && m.RootKind == store.RootTeam {
			f.ID, f.Ref = store.TeamID(id), nil
		}
		list = append(list, f)
	}
	for _, id := range slices.Concat(plan.Docs, plan.Derived) {
		if _, known := plan.When[id]; !known {
			list = append(list, store.TeamForgotten{Ref: d.team.RefMAC("d/" + strconv.FormatInt(id, 10))})
		}
	}
	return d.db.ForgetShared(ctx, list)
}
