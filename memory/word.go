package memory

import (
	"slices"
	"strings"
)

// PassedOn is the agent that an origin names when an agent says that these are the words of its user.
const PassedOn = "mcp-user"

// The sentences with which a memory says that a session had it from the user.
const (
	SaidAsRule = "Said by the user in so many words, as a rule."
	SaidOnce   = "Said by the user in so many words."
	SaidOften  = "Said by the user in several sessions."
)

// ByHand reports whether the user wrote or pinned a memory.
func (m Memory) ByHand() bool { return m.Pinned || m.Source == "cli" }

// OfUser reports whether a memory holds what the user said: written by hand, read in a session, or passed on by an
// agent. What an agent writes may say anything of itself, and does not count.
func (m Memory) OfUser() bool {
	if m.ByHand() || m.Source == "agent/"+PassedOn {
		return true
	}
	said := func(part string) bool { return part == SaidAsRule || part == SaidOnce || part == SaidOften }
	return !m.OfAgent() && slices.ContainsFunc(strings.Split(m.Body, "\n"), said)
}

// OfAgent reports whether an agent wrote a memory and does not say that the user said so.
func (m Memory) OfAgent() bool {
	return strings.HasPrefix(m.Source, "agent/") && m.Source != "agent/"+PassedOn
}

// YieldsTo reports whether a candidate may not change a memory: the user's own hand gives way to what the user told
// only, and what the user said gives way to everything but the word of an agent.
func (c Candidate) YieldsTo(m Memory) bool {
	return !c.Told && m.ByHand() || c.Guessed && m.OfUser()
}
