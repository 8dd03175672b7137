// Package capture answers one question: what does a hook event look like once it is clean?
//
// It is the one place where a raw [hooks.Event] meets the gate, for the daemon
// that stores it and for the hook process that spools it.
package capture
