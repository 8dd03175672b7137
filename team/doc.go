// Package team answers one question: what do other machines and members know of a project that is shared?
//
// The shared place is a PostgreSQL database that the user has; there is no server of
// ours. What happened on a machine stays in its own database, where everything is
// read: this package only carries items there and back, when nobody waits for it.
// It takes what goes out as [privacy.Clean] alone, and hands over what came in as
// strings of somebody else, which the caller passes through its gate.
package team
