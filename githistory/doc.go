// Package githistory answers one question: what does git know of the past of a working tree?
//
// It runs the user's git, and a repository is somebody else's text: its config
// can name programs (fsmonitor, filters, textconv, credential helpers, hooks)
// and hosts. A list of what to switch off would always miss the newest of them.
// So git never sees the repository's own directory: it is given an empty one of
// ours, with a config of ours, and of the repository its objects alone (and for
// the working tree a copy of its index). Where the branches stand is read here,
// without git. It names no remote, so nothing can be fetched.
//
// What it returns is raw text from outside.
package githistory
