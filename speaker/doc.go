// Package speaker answers one question: which words of a user's turn are the user's?
//
// Agents put much into that turn that nobody typed: the bodies of skills, messages
// of hooks and of other agents, notifications, summaries of an earlier part, the
// prompts of buttons. [Typed] takes these away; what reads transcripts and what
// reads hooks share it. What is left was submitted by a person, but not all of it
// was written by one: [Pasted] finds the logs, diffs, code, documents and quotations
// in it. These are worth finding again, so they are kept; nothing is learned from them.
package speaker
