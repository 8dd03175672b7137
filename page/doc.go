// Package page answers one question: how does the user see what was kept, told and sent,
// and say no to it?
//
// It is HTML made here, without a build step; the small script only adds to it. What it
// shows and changes it asks of the API, as every client does: it knows no store.
package page
