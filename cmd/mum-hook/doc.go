// Command mum-hook sends the hook payload from standard input to the daemon and prints the context for the agent.
//
// As long as a daemon answers, it does what `mum hook` does in a fifth of the time. The size of the program matters
// because agents start this process at every tool call. It reads no settings and no JSON, and contains no gate. In
// every unusual case it becomes `mum hook`, with the same payload and the same delivery key.
package main
