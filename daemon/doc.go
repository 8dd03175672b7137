// Package daemon answers one question: what happens when a request reaches the memory on this machine?
//
// It contains the listeners, the guard in front of them, the use cases behind them, and the life cycle of the process.
// [New] touches nothing outside; [Daemon.Run] blocks until it is told to stop and waits for everything that it started.
package daemon
