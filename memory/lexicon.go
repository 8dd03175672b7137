package memory

// isStop reports whether a word says nothing about a subject. That includes the verbs of choosing: "we chose", "we use"
// and "going with" say that there was a choice, not which.
func isStop(w string) bool {
	switch w {
	case "a", "an", "and", "are", "as", "at", "be", "been", "being", "but", "by", "can", "could", "did", "do", "does",
		"doing", "don", "for", "from", "had", "has", "have", "he", "her", "his", "how", "if", "in", "into", "is", "it", "its",
		"just", "let", "may", "me", "might", "more", "most", "much", "must", "my", "of", "on", "one", "only", "or",
		"our", "out", "own", "shall", "she", "should", "so", "some", "such", "than", "that", "the", "their", "them",
		"then", "there", "these", "they", "this", "those", "to", "too", "up", "us", "very", "was", "we", "were",
		"what", "when", "where", "which", "while", "who", "whose", "why", "will", "with", "would", "you", "your",
		"about", "above", "after", "again", "all", "also", "am", "any", "because", "before", "both", "each", "every",
		"here", "i", "other", "over", "same", "since", "still", "through", "under", "until", "upon", "via", "yet",
		"however", "therefore", "thus", "rather", "otherwise", "even", "already", "now", "later", "really", "like",
		"not", "no", "nor", "never", "without", "instead", "avoid", "stop", "always", "longer", "t", "s", "ve", "ll", "re":
		return true
	case "use", "used", "using", "chose", "chosen", "choos", "choic", "pick", "select", "decid", "decis",
		"adopt", "prefer", "switch", "going", "go", "went", "gon", "mov", "opt", "settl", "agr", "stick", "stay", "keep",
		"kept",
		"need", "want", "ensur", "team", "project", "remember", "learn", "found", "find", "turn",
		"stor", "sav", "hold", "held", "lie", "liv", "plac", "everywher", "anywher":
		return true
	}
	return false
}

// isGeneric reports whether a stem is common in all texts about software.
func isGeneric(s string) bool {
	switch s {
	case "add", "allow", "app", "break", "call", "case", "chang", "check", "code", "creat", "data", "do", "easy", "file",
		"fix", "get", "give", "good", "hav", "help", "issu", "it", "know", "lead", "line", "long", "mak", "new", "old",
		"part", "point", "problem", "put", "read", "requir", "result", "run", "say", "see", "set", "simpl", "start",
		"support", "system", "tak", "thing", "tim", "tool", "try", "typ", "updat", "user", "valu", "version", "way",
		"work", "writ", "caus", "happen", "show", "look", "proper", "correct", "handl", "provid", "mean", "becom":
		return true
	}
	return false
}

// isFiller reports whether a stem belongs to how people talk to an agent, not to their subject.
func isFiller(s string) bool {
	switch s {
	case "ask", "answer", "session", "question", "sur", "pleas", "thank", "explain", "tell", "review", "implement",
		"improv", "refactor", "clean",
		"commit", "push", "finish", "continu", "discuss", "talk", "think", "investigat", "detail", "first", "next", "last",
		"today", "step", "item",
		"idea", "plan", "task", "request", "wait", "ok", "yes", "lot", "bit", "sort", "kind", "com", "end", "wrot", "said",
		"don", "ran", "describ",
		"summary", "summariz", "quick", "small", "big", "littl", "right", "wrong", "again", "agent", "prompt", "conversat",
		"whole", "real", "actual":
		return true
	}
	return false
}

// isUnit reports whether a stem is a unit that numbers count.
func isUnit(s string) bool {
	switch s {
	case "s", "m", "ms", "hour", "day", "week", "month", "year", "byt", "kb", "mb", "gb", "tb", "kib", "mib", "gib",
		"percent", "tim", "millisecond", "microsecond", "pixel", "px", "second", "minut":
		return true
	}
	return false
}

// canonical maps stems that mean the same to a programmer to one of them.
//
//nolint:funlen,gocyclo // a flat table
func canonical(s string) string {
	switch s {
	case "postgresql", "postgr", "psql", "pg":
		return "postgres"
	case "k8s", "kubernet":
		return "kubernetes"
	case "db", "databas":
		return "database"
	case "configur", "configurat":
		return "config"
	case "authenticat", "login":
		return "auth"
	case "repository":
		return "repo"
	case "javascript":
		return "js"
	case "typescript":
		return "ts"
	case "dependency", "packag", "library", "modul", "lib":
		return "dep"
	case "environ":
		return "env"
	case "failur", "error", "fault", "broken", "crash":
		return "fail"
	case "delet", "drop", "eras", "purg":
		return "remov"
	case "resolv", "solv", "repair":
		return "fix"
	case "messag":
		return "msg"
	case "parameter", "argu", "arg":
		return "param"
	case "directory", "folder":
		return "dir"
	case "funct", "method":
		return "func"
	case "documentat", "docu":
		return "doc"
	case "asynchronous":
		return "async"
	case "second", "sec":
		return "s"
	case "minut", "min":
		return "m"
	case "latency", "delay":
		return "slow"
	case "disabl": // the word itself says that something is denied; the stem does not
		return "enabl"
	case "linter":
		return "lint"
	}
	return s
}
