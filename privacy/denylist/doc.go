// Package denylist answers one question: what in an event is about files whose contents are never stored?
//
// A [List] consists of globs (pathrules). It inspects an event: walk goes through a tool's input and answer, resolve
// turns a name into the paths it may mean, including globs and links (links), and handed reads the files that a command
// is given, so that their values can be taken out. passages finds what an output shows of denied files among others;
// copies remembers which files received the contents of one, later where the output of a withheld command may appear.
//
// It says what is denied; the gate takes it out.
package denylist
