// Package speaker answers one question: which words of a user's turn are the user's?
//
// Agents put much into that turn that nobody typed: the bodies of skills, messages from hooks and from other agents,
// notifications, summaries of an earlier part, the prompts of buttons. [Typed] removes these, both from transcripts and
// from hook events. A person submitted the rest, but did not write all of it: [Pasted] finds the logs, diffs, code,
// documents and quotations in it. These are stored, because they are worth finding again, but nothing is learned from
// them.
package speaker
