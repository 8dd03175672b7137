// Package pair answers one question: which value belongs to this name?
//
// name runs all checks of a name; assign finds the value after it, table and tablecell below it, block in its block;
// sentence reads what people say, prose in other languages than English.
package pair
