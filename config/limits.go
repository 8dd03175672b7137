package config

import "fmt"

// The limits of what a config may ask of every text that is captured. A clone's author
// must not be able to make each hook slow; a person writes a dozen of these.
const (
	maxPatterns     = 64  // of a repository
	maxOwnPatterns  = 256 // of the user
	maxRegex        = 1 << 10
	maxKeywords     = 64
	maxKeyword      = 256
	maxExcludePaths = 512
	maxGlob         = 1 << 10
)

// patternLimits is an error that names what of a list of patterns is too much.
func patternLimits(list []Pattern, most int) error {
	if len(list) > most {
		return fmt.Errorf("privacy.patterns has %d patterns: at most %d are taken", len(list), most)
	}
	for n, p := range list {
		switch {
		case len(p.Regex) > maxRegex:
			return fmt.Errorf("privacy.patterns has a regex of %d bytes (pattern %d): at most %d are taken", len(p.Regex), n+1,
				maxRegex)
		case len(p.Keywords) > maxKeywords || longest(p.Keywords) > maxKeyword:
			return fmt.Errorf("privacy.patterns has too many or too long keywords (pattern %d): at most %d of %d bytes "+
				"are taken", n+1, maxKeywords, maxKeyword)
		}
	}
	return nil
}

// globLimits is the same for a list of excluded paths.
func globLimits(globs []string) error {
	if len(globs) > maxExcludePaths || longest(globs) > maxGlob {
		return fmt.Errorf("privacy.exclude_paths has too many or too long globs: at most %d of %d bytes are taken",
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
