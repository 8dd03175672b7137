package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"keepmum/api"
	"keepmum/budget"
	"keepmum/capture"
	"keepmum/config"
	"keepmum/home"
	"keepmum/hooks"
	"keepmum/privacy/verdict"
	"keepmum/spool"
	"keepmum/store"
)

// When a hook does what, counted from its start. An agent waits for each hook. To store an event takes 30 ms; if the
// daemon does not answer, a prompt takes less than a second, and any other hook less than half a second. `late` and
// `end` are for a machine on which it takes far longer: with twenty hooks at once, or because someone causes it.
const (
	inputTime = time.Second // treats what arrived so far as the whole payload; the same in mum-hook

	late = 1400 * time.Millisecond // stores the event without its content, if it is not stored yet
	end  = 1850 * time.Millisecond // ends, even if something is not done
)

// patienceFor returns how long a hook waits for the daemon, which answers within 250 ms, and within 300 ms more if it
// looks something up.
func patienceFor(k hooks.Kind) time.Duration {
	if k == hooks.SessionStart || k == hooks.Prompt {
		return budget.Of(650 * time.Millisecond)
	}
	return budget.Of(270 * time.Millisecond)
}

// delivery is one payload on its way to the daemon or the spool. It works in the background, because
// reading, compiling and cleaning may hang on input that someone else supplies: when the time is up, the process ends
// anyway.
type delivery struct {
	dir        home.Dir
	agent, key string
	o          capture.Options // complete once ready is set

	began   time.Time
	kept    chan struct{} // closed when the event is safe, or does not need to be stored
	once    sync.Once
	claimed atomic.Bool // whoever claims the event answers or spools it, only once
	ready   atomic.Bool // settings and event are available
	misset  atomic.Bool // the settings cannot be used, so no text can be cleaned
	heard   atomic.Bool // the agent sent something, or might still
	kind    hooks.Kind

	unanswered bool // the daemon was already asked, and is not asked again
	cut        bool // the payload is incomplete
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

// finish stores an event that is not stored yet without its content, or counts it.
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

// settled records that the event is answered or stored, or does not need to be stored.
func (h *delivery) settled() { h.once.Do(func() { close(h.kept) }) }

// claim reports whether the caller is the one that answers or stores the event.
func (h *delivery) claim() bool { return h.claimed.CompareAndSwap(false, true) }

// decode reads the payload. If it cannot be read, the daemon has to refuse it.
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

// spoolWhole cleans the events with the same gate as the daemon, and leaves them in the spool for the daemon to read.
func (h *delivery) spoolWhole(ctx context.Context) {
	o := h.unlocked()
	key, known := h.privateKey(ctx, o.Key)
	if !known {
		return // its session may be private: the event is stored without its content
	}
	o.Key = key
	o.Verdicts = verdictKey(h.dir, o.Key)
	intake, err := capture.NewIntake(o)
	if err != nil {
		h.misset.Store(true)
		return // the event is stored without its text
	}
	h.spool(intake.Take, h.claim)
}

// spoolWithheld stores the events without their content.
func (h *delivery) spoolWithheld() {
	defer func() { _ = recover() }()
	if !h.ready.Load() || len(h.events) == 0 {
		h.drop()
		return
	}
	o, why := h.unlocked(), capture.Late
	if h.misset.Load() {
		why = capture.BadSettings
	}
	h.spool(func(in capture.Incoming) (capture.Event, string) { return capture.Withheld(o, in, why) },
		func() bool { return true })
}

// spool writes the events, cleaned by take, if the caller may claim them.
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
		if r.event.Lacks(capture.BadSettings) {
			_ = spool.Dir(h.dir.Spool()).Withhold() // the event itself is safe
		}
	}
	h.settled()
}

// unlocked returns the options with the key of the gate. If that key is damaged, it uses one that was saved with a
// backup, or a random one: doctor reports the damage, and it must not cost the event.
func (h *delivery) unlocked() capture.Options {
	o := h.o
	keys, err := home.Prepare(h.dir)
	if o.Key = keys.HMAC; err != nil {
		o.Key = home.SpoolKey(h.dir, savedKeys(h.dir)...)
	}
	return o
}

// privateKey returns the key that private sessions are recognised with: the given one, unless the database has
// another one, which was saved with a backup. If there are private sessions, or one is declared now, and there is no
// such key, known is false.
func (h *delivery) privateKey(ctx context.Context, key []byte) (right []byte, known bool) {
	declares := slices.ContainsFunc(h.events, capture.Declares)
	if !declares && !capture.AnyPrivate(string(h.dir)) {
		return key, true
	}
	own, _ := home.TagKey(h.dir) // nil if it is damaged
	err := store.FitsKey(ctx, h.dir.Database(), key)
	if err == nil || !errors.Is(err, store.ErrKey) && bytes.Equal(own, key) {
		return key, true
	}
	key, err = rightKey(ctx, h.dir)
	return key, err == nil
}

// verdictKey returns the key that reads the user's verdicts: the given one or, if hmac.key was damaged or replaced,
// one that was saved with a backup. If there is none, nothing recognises the values that the user called secret. Then
// no text can be stored, and the gate keeps the event without it.
func verdictKey(dir home.Dir, key []byte) []byte {
	reads := func(key []byte) bool {
		return !errors.Is(verdict.Open(dir.Verdicts(), key).Refresh(), verdict.ErrOtherKey)
	}
	if reads(key) {
		return key
	}
	saved := savedKeys(dir)
	if i := slices.IndexFunc(saved, reads); i >= 0 {
		return saved[i]
	}
	return key
}

// savedKeys returns the keys that were saved with backups, newest first.
func savedKeys(dir home.Dir) (keys [][]byte) {
	files, _ := store.BackupKeys(dir.Backups()) // what cannot be listed is not there
	for _, file := range files {
		if key, err := store.ReadKey(file); err == nil {
			keys = append(keys, key)
		}
	}
	return keys
}

// giveUp drops an event that can neither be delivered nor stored.
func (h *delivery) giveUp() {
	if h.claim() {
		h.drop()
	}
}

// drop counts a lost event. If its sender ended without a word, there was none.
func (h *delivery) drop() {
	h.once.Do(func() {
		if h.heard.Load() {
			_ = spool.Dir(h.dir.Spool()).Drop()
		}
		close(h.kept)
	})
}

// part is the result of one read of standard input.
type part struct {
	data []byte
	err  error
}

// read reads the payload to its end. If the time is up, the payload is marked as incomplete, but it may be complete: an
// agent may forget to close its pipe.
func (h *delivery) read(in io.Reader) (payload []byte) {
	parts := make(chan part)
	go feed(parts, in)
	timeUp := time.NewTimer(budget.Of(inputTime) - time.Since(h.began))
	defer timeUp.Stop()
	for len(payload) <= maxPayload {
		select {
		case p := <-parts:
			payload = append(payload, p.data...)
			if len(payload) > 0 {
				h.heard.Store(true)
			}
			if p.err != nil {
				h.cut = h.cut || !errors.Is(p.err, io.EOF)
				return payload
			}
		case <-timeUp.C:
			h.cut = true
			if _, byHand := in.(typed); !byHand {
				h.heard.Store(true)
			}
			return payload
		}
	}
	return payload
}

// feed reads in the background until the process ends.
func feed(parts chan<- part, in io.Reader) {
	for {
		data := make([]byte, 64<<10) // the size of a pipe
		n, err := in.Read(data)
		parts <- part{data[:n], err}
		if err != nil {
			return
		}
	}
}
