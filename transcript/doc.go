// Package transcript answers one question: what do the agents' own session files say?
//
// [Discover] finds the stores of Claude Code, Codex, OpenCode and Cursor by
// looking at file names and sizes only; [Sessions] lists what is inside a
// database; [Read] streams one session, from the start or from where an earlier
// reading ended. Memory does not grow with the size of a transcript.
//
// Nothing here has passed the privacy gate. Every string of a [Session] and of
// an [Entry] is raw text from outside, paths and titles included, and may hold
// secrets: it must not be written anywhere before the gate has cleaned it. An
// [Offset] holds positions and a hash, no text, so it may be stored.
//
// The package only reads. Databases are opened read-only, and of OpenCode's
// only named columns of session, message and part are selected: the
// same file holds credentials.
//
// The formats are unpublished and change weekly, so decoding is lenient: an odd
// field reads as absent, an unknown record is ignored, a broken line is counted
// in [Stats] and skipped. Errors name the file and never quote its content.
package transcript
