package compress

import (
	"context"
	"sync"
	"time"

	"keepmum/llm"
	"keepmum/store"
)

// budget limits the use of a model: questions per minute, tokens and seconds per day (UTC). The daily totals are
// stored, so they survive a restart.
type budget struct {
	now                              func() time.Time
	perMinute, dayTokens, daySeconds int

	mu      sync.Mutex
	day     time.Time
	asked   []time.Time // within the last minute
	tokens  int
	seconds float64
}

func newBudget(o Options) *budget {
	return &budget{now: o.Now, perMinute: o.PerMinute, dayTokens: o.DailyTokens, daySeconds: o.DailySeconds}
}

func today(t time.Time) time.Time { return t.UTC().Truncate(24 * time.Hour) }

// load reads what was sent today before this process started.
func (b *budget) load(ctx context.Context, db *store.DB) error {
	day := today(b.now())
	sent, err := db.EgressSince(ctx, day)
	if err != nil {
		return err
	}
	seconds, err := db.ModelSeconds(ctx, day)
	if err != nil {
		return err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.day, b.tokens, b.seconds = day, llm.Tokens(int(sent)), seconds
	return nil
}

// wait returns how long the budget is used up, and why.
func (b *budget) wait() (time.Duration, string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.waitLocked()
}

// take does the same as wait, and counts the question if it may be asked, so that concurrent questions cannot exceed
// the limit per minute.
func (b *budget) take() (time.Duration, string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	wait, why := b.waitLocked()
	if wait <= 0 {
		b.asked = append(b.asked, b.now())
	}
	return wait, why
}

func (b *budget) waitLocked() (time.Duration, string) {
	now := b.now()
	b.expire(now)
	tomorrow := b.day.Add(24 * time.Hour).Sub(now)
	switch {
	case b.dayTokens > 0 && b.tokens >= b.dayTokens:
		return tomorrow, "today's tokens are used up (compress.daily_tokens)"
	case b.daySeconds > 0 && b.seconds >= float64(b.daySeconds):
		return tomorrow, "today's seconds are used up (compress.daily_seconds)"
	case len(b.asked) >= b.perMinute:
		return b.asked[0].Add(time.Minute).Sub(now), "this minute's questions are used up (compress.per_minute)"
	}
	return 0, ""
}

// expire drops what is past: the totals of another day, and questions older than a minute.
func (b *budget) expire(now time.Time) {
	if d := today(now); !d.Equal(b.day) {
		b.day, b.tokens, b.seconds = d, 0, 0
	}
	for len(b.asked) > 0 && !now.Before(b.asked[0].Add(time.Minute)) {
		b.asked = b.asked[1:]
	}
}

// spend records what a question cost, and returns the total of the day.
func (b *budget) spend(tokens int, took time.Duration) (day time.Time, seconds float64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := b.now()
	b.expire(now)
	b.tokens += tokens
	b.seconds += took.Seconds()
	return b.day, b.seconds
}

// The circuit breaker: after breakAfter failures in a row, no questions are asked for a while, and for longer if it
// fails again.
const (
	breakAfter = 5
	firstBreak = time.Minute
	longBreak  = 5 * time.Minute
)

type breaker struct {
	now func() time.Time

	mu       sync.Mutex
	failures int
	rest     time.Duration
	until    time.Time
}

func (b *breaker) fail() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.failures++
	if b.failures < breakAfter {
		return
	}
	b.rest = min(max(2*b.rest, firstBreak), longBreak)
	b.until = b.now().Add(b.rest)
}

func (b *breaker) succeed() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.failures, b.rest, b.until = 0, 0, time.Time{}
}

// open returns how long no questions may be asked, and the number of failures.
func (b *breaker) open() (wait time.Duration, failures int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return max(b.until.Sub(b.now()), 0), b.failures
}
