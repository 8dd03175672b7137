// Package pathglob answers one question: which files or folders does a person mean who
// writes a glob into the settings?
//
// ~ and $HOME are the home directory, ./ is nothing, a glob that begins at no root holds
// at any depth, and a folder means all in it. Letters have no case.
package pathglob
