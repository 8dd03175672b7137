// Package review records what the user did with proposals, and derives from it how to shift the threshold for them. The
// records are in a file outside the store, so that the user can read it, or delete it to start again.
package review
