package compress

// stopWord reports whether a word says nothing about a turn: English stop words, and words that are in nearly every
// turn of a coding agent.
func stopWord(w string) bool {
	switch w {
	case "a", "about", "above", "after", "again", "all", "also", "always", "am", "an", "and", "any", "are", "around", "as",
		"ask", "asked", "at", "away", "back", "be", "because", "been", "before", "being", "below", "best", "better",
		"between",
		"both", "but", "by", "can", "cannot", "come", "could", "day", "did", "didn", "do", "does", "doesn", "doing", "don",
		"done", "down", "during", "each", "either", "else", "enough", "ever", "every", "few", "first", "for", "found", "from",
		"further", "get", "give", "go", "going", "good", "got", "had", "has", "have", "having", "he", "her", "here", "hers",
		"him", "his", "how", "however", "i", "if", "in", "instead", "into", "is", "isn", "it", "its", "itself", "just",
		"keep",
		"kind", "know", "last", "least", "less", "let", "like", "ll", "look", "lot", "made", "make", "many", "may", "maybe",
		"me", "might", "more", "most", "much", "must", "my", "need", "needs", "never", "new", "next", "no", "nor", "not",
		"nothing", "now", "of", "off", "ok", "on", "once", "one", "only", "onto", "or", "other", "our", "out", "over", "own",
		"part", "per", "please", "put", "quite", "rather", "re", "really", "right", "said", "same", "say", "see", "seem",
		"set", "she", "should", "since", "so", "some", "something", "still", "such", "sure", "take", "than", "thank",
		"thanks",
		"that", "the", "their", "them", "then", "there", "these", "they", "thing", "things", "this", "those", "through", "to",
		"too", "try", "two", "under", "until", "up", "upon", "us", "use", "used", "uses", "using", "ve", "very", "want",
		"was",
		"wasn", "way", "we", "well", "were", "what", "when", "where", "which", "while", "who", "why", "will", "with",
		"within",
		"without", "won", "would", "yes", "yet", "you", "your", "add", "added", "change", "changed", "changes", "check",
		"code", "command", "create", "created", "edit", "error", "errors", "example", "exists", "file", "files", "fix",
		"fixed", "function", "functions", "line", "lines", "method", "name", "names", "output", "path", "read", "ran",
		"return", "returns", "run", "running", "show", "shows", "string", "test", "tests", "text", "tool", "true", "false",
		"null", "type", "update", "updated", "value", "values", "work", "works", "write", "wrote", "const", "func", "var",
		"def", "class", "import", "export", "package", "index", "main", "src", "lib", "tmp", "home", "user", "users", "http",
		"https", "com", "www", "including", "whether", "find", "everywhere", "accordingly", "together", "afterwards", "list",
		"default", "fails",
		"failing", "remember", "understood", "counted", "messages":
		return true
	}
	return false
}
