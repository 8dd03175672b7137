package distill

import "keepmum/transcript"

// meter measures the progress of a run, including within a long session.
type meter struct {
	tell   func(Progress)
	begins []int64 // total size of the sessions before each session
	size   int64   // total size
	now    Progress
	most   int64 // position at the end of the current session
}

// newMeter adds up the sizes of the sessions to be read.
func newMeter(r *run, tasks []task) *meter {
	out := &meter{tell: r.o.Progress}
	for _, t := range tasks {
		out.begins = append(out.begins, out.size)
		out.size += r.weight(t)
	}
	out.begins = append(out.begins, out.size)
	out.now = Progress{Phase: "sync", Total: len(tasks), Size: out.size}
	return out
}

// Weights for sessions of unknown size.
const (
	perRow  = 2 << 10 // for each event that hooks captured
	perWait = 1       // for a session that was read before: it is seldom read again
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

// at reports that a number of sessions are done.
func (p *meter) at(done int) {
	p.now.Done, p.now.Bytes, p.most = done, p.begins[done], p.begins[min(done+1, len(p.begins)-1)]
	if p.tell != nil {
		p.tell(p.now)
	}
}

// read counts an entry of the current session. An entry is smaller than its line, so progress jumps at the end of the
// session.
func (p *meter) read(e transcript.Entry) {
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
