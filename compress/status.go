package compress

// States of a worker.
const (
	stateIdle    = "idle"
	stateWorking = "working"
	stateWaiting = "waiting" // there is no model to ask
	statePaused  = "paused"  // a limit was reached
)

// Status is shown to the user.
type Status struct {
	State  string
	Model  string // the latest model asked
	Reason string // why it is waiting or paused
	Done   int64  // summaries by a model since the start
	Drafts int64  // summaries by the heuristic since the start
	Held   int64  // jobs that the second gate held back
	Left   bool   // text was sent to a model that is not local
}

// Status returns what the worker is doing.
func (w *Worker) Status() Status {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.status
}

func (w *Worker) update(f func(*Status)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	f(&w.status)
}

func (w *Worker) say(state, reason string) {
	w.update(func(s *Status) { s.State, s.Reason = state, reason })
}

func (w *Worker) working(model string) {
	w.update(func(s *Status) { s.State, s.Model, s.Reason = stateWorking, model, "" })
}

func (w *Worker) left() bool { return w.Status().Left }
