// Package transcript answers one question: what do the agents' own session files say?
//
// [Discover] finds the files of Claude Code, Codex, OpenCode and Cursor by name and size only; [Sessions] lists what is
// inside a database; [Read] streams one session, from the start or from where an earlier reading ended. Memory use does
// not grow with the size of a transcript.
//
// Nothing here has passed the privacy gate. Every string of a [Session] and of an [Entry], including paths and titles,
// is raw text from outside and may contain secrets: it must not be written anywhere before the gate has cleaned it. An
// [Offset] contains positions and a hash but no text, so it may be stored.
//
// The package only reads. It opens databases read-only, and in OpenCode's it selects only named columns of session,
// message and part, because the same file contains credentials.
//
// The formats are unpublished and change weekly, so decoding is lenient: an unexpected field counts as missing, an
// unknown record is ignored, a broken line is counted in [Stats] and skipped. Errors name the file and never quote its
// contents.
package transcript
