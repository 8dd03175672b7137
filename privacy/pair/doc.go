// Package pair answers one question: which value does this name have?
//
// name goes through all that is asked of a name; assign and literal find the value
// behind it, table and tablecell below it, block in its block; sentence reads what
// people say, prose in other languages than English.
package pair
