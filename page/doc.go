// Package page answers one question: how does the user see what was stored, told to agents and sent, and say no to it?
//
// The HTML is generated here, without a build step; the small script only adds to it. The page reads and changes
// everything through the API, like every client: it does not know the store.
package page
