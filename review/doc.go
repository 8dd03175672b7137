// Package review holds what the user did with proposals, and the bar that follows from
// it. It is separate from store, because it is a file that the user may read, and
// remove to begin again.
package review
