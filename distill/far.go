package distill

import "keepmum/transcript"

// far says how far a run is. It moves inside of a long session too.
type far struct {
	tell   func(Progress)
	begins []int64 // what is before each session
	size   int64   // of all
	now    Progress
	most   int64 // what the session that is read can come to
}

// newFar weighs the sessions that are to be read.
func newFar(r *run, tasks []task) *far {
	out := &far{tell: r.o.Progress}
	for _, t := range tasks {
		out.begins = append(out.begins, out.size)
		out.size += r.weight(t)
	}
	out.begins = append(out.begins, out.size)
	out.now = Progress{Phase: "sync", Total: len(tasks), Size: out.size}
	return out
}

// What a session weighs of which the size in bytes is not known.
const (
	perRow  = 2 << 10 // for each thing that hooks saw
	perWait = 1       // of one that was read before: it is seldom read again
)

func (r *run) weight(t task) int64 {
	if t.f == nil {
		return perWait
	}
	if b := r.survey.bases[t.f.base]; b != nil {
		return max(1, b.src.Size/int64(max(1, len(b.sessions))))
	}
	if t.f.fromHooks() {
		return perRow * max(1, t.f.src.Size)
	}
	return max(1, t.f.src.Size)
}

// at says that so many sessions are done.
func (p *far) at(done int) {
	p.now.Done, p.now.Bytes, p.most = done, p.begins[done], p.begins[min(done+1, len(p.begins)-1)]
	if p.tell != nil {
		p.tell(p.now)
	}
}

// read adds an entry of the session that is read. It is smaller than its line, so the
// end of a session is a step.
func (p *far) read(e transcript.Entry) {
	if p == nil || p.tell == nil {
		return
	}
	n := len(e.Text)
	for _, v := range []any{e.Output, e.Beside} {
		if s, ok := v.(string); ok {
			n += len(s)
		}
	}
	if next := min(p.now.Bytes+int64(n), p.most); next > p.now.Bytes {
		p.now.Bytes = next
		p.tell(p.now)
	}
}
