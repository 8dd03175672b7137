// Package pathglob answers one question: which files or folders does a glob in the settings mean?
//
// ~ and $HOME are the home directory, ./ is ignored, a glob that does not start at a root matches at any depth, and a
// folder means everything in it. Matching ignores case.
package pathglob
