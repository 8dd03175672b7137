package daemon

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"keepmum/api"
	"keepmum/memory"
	"keepmum/privacy"
)

// verdict decides what to do with a candidate. If the candidate updates a memory, verdict adapts it to that memory.
func (d *Daemon) verdict(ctx context.Context, l memory.Listing, c *memory.Candidate, own bool) memory.Verdict {
	forgotten := func(string) bool { return false }
	if !c.Told {
		forgotten = func(print string) bool {
			ok, err := d.db.ForgottenPrint(ctx, print, time.Time{}) // an agent may have read it anywhere
			return ok || err != nil
		}
	}
	verdict := memory.NewJudge(memory.Visible(l.Memories(), c.On()), forgotten).Decide(*c)
	similar := verdict.Action == memory.Update || verdict.Action == memory.Noop
	if own && similar && c.Key == "" { // what is said about a key is one statement
		return memory.Verdict{Action: memory.Add, Reason: memory.New, Score: verdict.Score}
	}
	if verdict.Action != memory.Update {
		return verdict
	}
	if target := named(l, verdict.Target); c.YieldsTo(target) { // an agent's words must not pass for the user's
		if c.Key == target.Key { // only one memory answers a question: the user's
			c.Key = ""
		}
		return memory.Verdict{Action: memory.Add, Reason: memory.New, Score: verdict.Score}
	}
	if c.Told && !titled(l, verdict.Target, c.Title) { // keep the user's words, including the title
		c.Body = privacy.Join(". ", c.Title, c.Body)
	}
	if saidTwice(l, verdict.Target, *c) {
		c.Confidence = twiceConfidence
	}
	return verdict
}

// named returns the memory with an id; the zero value if there is none.
func named(l memory.Listing, id string) (out memory.Memory) {
	for _, m := range l.Memories() {
		if m.ID == id {
			out = m
		}
	}
	return out
}

// saidTwice reports whether an agent said the same in another session.
func saidTwice(l memory.Listing, id string, c memory.Candidate) bool {
	if c.Told || len(c.Sources) == 0 {
		return false
	}
	m := named(l, id)
	same := func(o memory.Origin) bool { return o.Session == c.Sources[0].Session.String() }
	return strings.HasPrefix(m.Source, "agent/") && len(m.Sources) > 0 && !slices.ContainsFunc(m.Sources, same)
}

// titled reports whether a memory already has this title.
func titled(l memory.Listing, id string, title privacy.Clean) bool {
	return strings.EqualFold(named(l, id).Title, title.String())
}

// carryOut carries out the decision about a candidate.
func (d *Daemon) carryOut(t memoryTree, l memory.Listing, c memory.Candidate, v memory.Verdict,
	by memory.Stamp) (memory.Memory, error) {
	target := named(l, v.Target)
	if c.YieldsTo(target) {
		switch v.Action {
		case memory.History:
			return target, nil
		case memory.Supersede, memory.Instead:
			return target, contradictsUser(target)
		}
	}
	switch v.Action {
	case memory.Noop:
		return target, nil
	case memory.Update:
		return t.Update(target, c, by)
	case memory.History:
		return t.History(c, by, target)
	case memory.Supersede:
		return t.Supersede(c, by, target)
	case memory.Instead:
		return t.Instead(c, by, target)
	case memory.Add:
		return t.Add(c, by)
	}
	return target, failure(api.Invalid, "that cannot become a memory: "+refusal(v.Reason), "mum memory add --help")
}

// contradictsUser refuses what would replace the user's word. A memory that the user wrote changes only by hand.
func contradictsUser(m memory.Memory) error {
	if m.ByHand() {
		return failure(api.Conflict, "it contradicts what the user wrote in memory "+m.ID+": "+m.Title,
			"ask the user, who can change it: mum memory edit "+m.ID)
	}
	return failure(api.Conflict, "it contradicts what the user said in memory "+m.ID+": "+m.Title,
		`ask the user; if the user says so, write it with origin "user"`)
}

// refusal explains why a candidate is rejected.
func refusal(r memory.Reason) string {
	words := map[memory.Reason]string{
		memory.LowConfidence: "its confidence is below 0.5",
		memory.ShortTitle:    fmt.Sprintf("the title has fewer than %d characters", memory.MinTitle),
		memory.ShortBody: fmt.Sprintf("the body has fewer than %d characters: give the reason and the alternatives; "+
			"a fact needs none", memory.MinBody),
		memory.BodyIsTitle: "the body only repeats the title", memory.Placeholder: "it is a placeholder",
		memory.ToldByCode: "the code already says it", memory.SessionOnly: "it is not useful after this session",
		memory.SpeaksToModel: "it is an instruction to a model, not a fact",
		memory.Forgotten:     "the user wanted it forgotten", memory.Outdated: "something newer is known",
	}
	if w := words[r]; w != "" {
		return w
	}
	return string(r)
}
