// Package githistory answers one question: what does git know about the history of a working tree?
//
// It runs the user's git, but a repository is someone else's data: its config can name programs (fsmonitor, filters,
// textconv, credential helpers, hooks) and hosts. A list of what to switch off would always miss the newest of them. So
// git never sees the repository's own directory. It gets an empty directory of ours with our own config, and of the
// repository only its objects (and its index, for the working tree). This package reads the branches itself, without
// git. There are no remotes in the config, so nothing can be fetched.
//
// What it returns is raw text from outside.
package githistory
