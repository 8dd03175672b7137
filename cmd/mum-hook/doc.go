// Command mum-hook hands the hook payload on standard input to the daemon, and prints what
// the daemon wants to tell the agent.
//
// It does what `mum hook` does while a daemon answers, in a fifth of the time: a process
// that is started at every use of a tool pays for the size of its program. It
// knows no settings, no JSON and no gate: whatever is not plain sailing, it
// becomes `mum hook`, with the same payload and the same key of the delivery.
package main
