package scan

import "strings"

// TestResult reports whether the word that ends at an offset is the result of a test, not the name of a password:
// "--- PASS: TestLogin", "[PASS] login", "PASS src/login.test.ts".
func TestResult(text string, end int) bool {
	const word = "PASS"
	from := end - len(word)
	if from < 0 || text[from:end] != word {
		return false
	}
	before, after := text[:from], text[end:]
	switch {
	case strings.HasSuffix(before, "--- "):
		return strings.HasPrefix(after, ": ")
	case strings.HasSuffix(before, "["):
		return strings.HasPrefix(after, "] ")
	}
	return strings.HasPrefix(after, " ") && testFile(strings.TrimLeft(after[:min(len(after), longestPath)], " "))
}

const longestPath = 300 // bytes of the name of a file with tests

// testFile reports whether a text starts with the path of a file with tests, as runners of JavaScript print it.
func testFile(text string) bool {
	if n := strings.IndexAny(text, " \t\r\n"); n >= 0 {
		text = text[:n]
	}
	return strings.Contains(text, "/") && (strings.Contains(text, ".test.") || strings.Contains(text, ".spec."))
}
