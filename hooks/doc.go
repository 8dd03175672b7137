// Package hooks answers one question: what does each coding agent say, and what may be said back?
//
// It contains the decoders of each agent's hook payloads (to an [Event]), the encoders of the replies that agents
// expect, and the scripts that agents run.
package hooks
