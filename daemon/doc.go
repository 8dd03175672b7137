// Package daemon answers one question: what happens when a request reaches this machine's memory?
//
// It owns the listeners, the guard in front of them, the use cases behind them
// and the life of the process. [New] touches nothing outside; [Daemon.Run]
// blocks until it is told to stop and joins everything it started.
package daemon
