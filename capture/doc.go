// Package capture answers one question: what does a hook event look like once it is clean?
//
// It is the only place where a raw [hooks.Event] meets the gate, both for the daemon, which stores the event, and for
// the hook process, which spools it.
package capture
