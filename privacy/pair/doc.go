// Package pair answers one question: which value belongs to this name?
//
// name runs all checks of a name. The value may be after it (assign), below it in a table of lines (table, tablecell)
// or of brackets and elements (rows), in the rows of an INSERT (insert, definition), or in its block (block); notvalue
// and markup say what is not its value. prose finds names in other languages than English, answer the replies to a
// question for a secret. What people say in sentences is left to the learned judge.
package pair
