package config

import "fmt"

// Limits on what a config can add to the work for every captured text. The author of a cloned repository must not be
// able to slow down each hook. A person writes about a dozen patterns or globs.
const (
	maxPatterns     = 64  // in a repository's config
	maxOwnPatterns  = 256 // in the user's config
	maxRegex        = 1 << 10
	maxKeywords     = 64
	maxKeyword      = 256
	maxExcludePaths = 512
	maxGlob         = 1 << 10
)

// patternLimits returns an error that names the limit that a list of patterns exceeds.
func patternLimits(list []Pattern, limit int) error {
	if len(list) > limit {
		return fmt.Errorf("privacy.patterns has %d patterns: the limit is %d", len(list), limit)
	}
	for n, p := range list {
		switch {
		case len(p.Regex) > maxRegex:
			return fmt.Errorf("privacy.patterns has a regex of %d bytes (pattern %d): the limit is %d", len(p.Regex), n+1,
				maxRegex)
		case len(p.Keywords) > maxKeywords || longest(p.Keywords) > maxKeyword:
			return fmt.Errorf("privacy.patterns has too many or too long keywords (pattern %d): the limit is %d of "+
				"%d bytes", n+1, maxKeywords, maxKeyword)
		}
	}
	return nil
}

// globLimits does the same for a list of excluded paths.
func globLimits(globs []string) error {
	if len(globs) > maxExcludePaths || longest(globs) > maxGlob {
		return fmt.Errorf("privacy.exclude_paths has too many or too long globs: the limit is %d of %d bytes",
			maxExcludePaths, maxGlob)
	}
	return nil
}

func longest(list []string) (most int) {
	for _, s := range list {
		most = max(most, len(s))
	}
	return most
}
