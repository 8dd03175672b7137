// Package denylist answers one question: what of an event is about files whose
// content is never kept?
//
// A [List] is made of globs (pathrules). It inspects an event: walk goes through what a
// tool was given and what it answered, resolve turns a name into the paths it may stand
// for, links and globs too, and handed reads the files that a command is handed, so that
// their values can be taken out. What an output shows of denied files among others is
// found by passages; copies remembers who was given the content of one.
//
// It says what is denied; the gate takes it out.
package denylist
