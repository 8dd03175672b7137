// Package pair answers one question: which value belongs to this name?
//
// name runs all checks of a name; assign finds the value after it, table and tablecell below it, block in its block;
// prose finds names in other languages than English. What people say in sentences is left to the learned judge.
package pair
