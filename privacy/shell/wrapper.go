package shell

import "strings"

// unwrapped returns the index of the command that a chain of wrappers (sudo, time, env A=b) runs.
func unwrapped(words []string) int {
	i := 0
	for i < len(words)-1 && in("wrappers", program(words[i])) {
		next := i + 1
		for next < len(words) && ofWrapper(words[next]) {
			if in("wrapper-values", words[next]) {
				next++
			}
			next++
		}
		if next >= len(words) {
			return i
		}
		i = next
	}
	return i
}

// ofWrapper reports whether a word belongs to the wrapper before it: an option, a variable, a duration.
func ofWrapper(word string) bool {
	return strings.HasPrefix(word, "-") || strings.Contains(word, "=") || isDuration(word)
}

// isDuration reports whether a word is a number, with a letter for its unit.
func isDuration(word string) bool {
	const digits = "0123456789."
	unit := strings.TrimLeft(word, digits)
	return word != "" && word[0] >= '0' && word[0] <= '9' && len(unit) <= 1 && strings.Trim(word, digits) == unit
}
