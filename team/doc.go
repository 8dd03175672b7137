// Package team answers one question: what do other machines and members know about a shared project?
//
// The shared place is the user's own PostgreSQL database; there is no server of ours. What happened on a machine stays
// in its own database, and everything is read from there: this package only copies items to and from the shared place,
// while nobody is waiting for it. What goes out is [privacy.Clean] only. What comes in is untrusted text, which the
// caller must pass through its gate.
package team
