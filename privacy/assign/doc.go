// Package assign answers one question: where is the value that a name is given?
//
// An [Assignment] is what all readers of names and values emit: a span, the separator before it, and what is known
// about its place. literal follows a value from its first quote to its last, in any notation; setting recognises lines
// of settings, account the names of accounts before passwords, fields the words and cells of a line.
package assign
