package main

import (
	"context"
	"errors"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"keepmum/api"
	"keepmum/budget"
	"keepmum/capture"
	"keepmum/config"
	"keepmum/home"
	"keepmum/hooks"
	"keepmum/spool"
)

// How long after its begin a hook does what. An agent waits for each: to keep an event
// takes 30 ms, so that a daemon that does not answer costs a prompt less than a second
// and the rest less than half of one. `late` and `end` are for a machine where that takes far
// longer, with twenty hooks at once, or because somebody wants it to.
const (
	inputTime = time.Second // takes what came for all that comes; the same in mum-hook

	late = 1400 * time.Millisecond // keeps the event without its content, if it is not kept by now
	end  = 1850 * time.Millisecond // ends, whatever is not done
)

// patienceFor is how long a daemon is waited for, which itself answers within
// 250 ms, and within 300 more where it looks something up.
func patienceFor(k hooks.Kind) time.Duration {
	if k == hooks.SessionStart || k == hooks.Prompt {
		return budget.Of(650 * time.Millisecond)
	}
	return budget.Of(270 * time.Millisecond)
}

// delivery is one payload on its way to the daemon or the spool. Its work runs
// beside the clock: reading, compiling and cleaning may hang or take for ever on
// what somebody else supplies, and then the process ends all the same.
type delivery struct {
	dir        home.Dir
	agent, key string
	o          capture.Options // whole once ready

	began   time.Time
	kept    chan struct{} // closed when the event is safe, or nothing is to be kept
	once    sync.Once
	claimed atomic.Bool // by whom the event is answered or spooled: once only
	ready   atomic.Bool // settings and event are there
	heard   atomic.Bool // something came from the agent
	kind    hooks.Kind

	unanswered bool // the daemon was asked before, and is not asked again
	cut        bool // the end of the payload did not come
	events     []hooks.Event
}

func newDelivery(dir home.Dir, agent, key string) *delivery {
	return &delivery{
		dir: dir, agent: agent, key: key, began: time.Now(),
		kept: make(chan struct{}), o: capture.Options{Home: string(dir), Brief: true},
	}
}

// run does the work, and returns when it is done or its time is up.
func (h *delivery) run(work func()) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer func() { _ = recover() }() // a bug here must not break a session
		work()
	}()
	timeUp := time.NewTimer(budget.Of(late))
	defer timeUp.Stop()
	select {
	case <-done:
	case <-timeUp.C:
	}
	h.finish()
}

// finish sees to it that what is not kept by now is kept without its content, or counted.
func (h *delivery) finish() {
	select {
	case <-h.kept:
		return
	default:
	}
	if h.claim() {
		go h.spoolWithheld()
	}
	timeUp := time.NewTimer(budget.Of(end) - time.Since(h.began))
	defer timeUp.Stop()
	select {
	case <-h.kept:
	case <-timeUp.C:
		h.drop()
	}
}

// settled says that the event is answered or kept, or not to be kept.
func (h *delivery) settled() { h.once.Do(func() { close(h.kept) }) }

// claim reports whether the caller is the one that answers or keeps the event.
func (h *delivery) claim() bool { return h.claimed.CompareAndSwap(false, true) }

// decode reads the payload; what cannot be read is left to the daemon to refuse.
func (h *delivery) decode(payload []byte) {
	if events, err := hooks.Decode(h.agent, payload); err == nil {
		h.events, h.kind = events, events[0].Kind
	}
}

func (h *delivery) post(ctx context.Context, c config.Loaded, payload []byte) ([]byte, error) {
	if h.unanswered {
		return nil, api.ErrDown
	}
	ctx, cancel := context.WithDeadline(ctx, h.began.Add(patienceFor(h.kind)))
	defer cancel()
	return postHook(ctx, h.dir, c, h.agent, h.key, payload)
}

// spoolWhole cleans the events with the same gate as the daemon's and leaves
// them for its next look into the spool.
func (h *delivery) spoolWhole() {
	intake, err := capture.NewIntake(h.unlocked())
	if err != nil {
		return // no text can be cleaned: the event is kept without it
	}
	h.spool(intake.Take, h.claim)
}

// spoolWithheld keeps that the events happened.
func (h *delivery) spoolWithheld() {
	defer func() { _ = recover() }()
	if !h.ready.Load() {
		h.drop()
		return
	}
	o := h.unlocked()
	h.spool(func(in capture.Incoming) (capture.Event, string) { return capture.Withheld(o, in) },
		func() bool { return true })
}

// spool writes the events, as cleaned by take, if they are the caller's to write.
func (h *delivery) spool(take func(capture.Incoming) (capture.Event, string), mine func() bool) {
	type ready struct {
		event capture.Event
		key   string
	}
	var all []ready
	for i, e := range h.events {
		key := capture.Delivery(h.key, i)
		if clean, skipped := take(capture.Incoming{Event: e, Key: key}); skipped == "" {
			all = append(all, ready{clean, key})
		}
	}
	if !mine() {
		return
	}
	for _, r := range all {
		if err := spool.Dir(h.dir.Spool()).Put(r.event, r.key, r.event.At); err != nil {
			h.drop()
			return
		}
	}
	h.settled()
}

// unlocked are the options with the key of the gate, or with another where that one
// is damaged: doctor names it, and it must not cost the event.
func (h *delivery) unlocked() capture.Options {
	o := h.o
	keys, err := home.Prepare(h.dir)
	if o.Key = keys.HMAC; err != nil {
		o.Key = home.SpoolKey(h.dir)
	}
	return o
}

// giveUp is for what can neither be delivered nor kept.
func (h *delivery) giveUp() {
	if h.claim() {
		h.drop()
	}
}

// drop counts an event that is lost. Where nothing came there was none.
func (h *delivery) drop() {
	h.once.Do(func() {
		if h.heard.Load() {
			_ = spool.Dir(h.dir.Spool()).Drop()
		}
		close(h.kept)
	})
}

// part is what one read of standard input gave.
type part struct {
	data []byte
	err  error
}

// read takes the payload until its end. What came when its time is up is cut, and may be whole
// all the same: an agent may forget to close its pipe.
func (h *delivery) read(in io.Reader) (payload []byte) {
	parts := make(chan part)
	go feed(parts, in)
	timeUp := time.NewTimer(budget.Of(inputTime) - time.Since(h.began))
	defer timeUp.Stop()
	for len(payload) <= maxPayload {
		select {
		case p := <-parts:
			payload = append(payload, p.data...)
			h.heard.Store(len(payload) > 0)
			if p.err != nil {
				h.cut = h.cut || !errors.Is(p.err, io.EOF)
				return payload
			}
		case <-timeUp.C:
			h.cut = true
			return payload
		}
	}
	return payload
}

// feed reads beside the clock; the end of the process ends it.
func feed(parts chan<- part, in io.Reader) {
	for {
		data := make([]byte, 64<<10) // what a pipe holds
		n, err := in.Read(data)
		parts <- part{data[:n], err}
		if err != nil {
			return
		}
	}
}
