// Package lazyregexp answers one question: when is a regular expression compiled?
//
// It is compiled at its first use. A hook process lives for a few milliseconds and uses a handful of the program's
// patterns; compiling all of them at the start took longer than everything else it does.
package lazyregexp

import (
	"regexp"
	"sync"
)

// Regexp is a pattern that is compiled once, at its first use. It is safe for concurrent use. Its methods do the same
// as those of [regexp.Regexp].
type Regexp struct {
	get func() *regexp.Regexp
}

// New returns the pattern. An invalid pattern panics at its first use, so each pattern needs a test that uses it.
func New(pattern string) *Regexp {
	return &Regexp{sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })}
}

// Get returns the compiled pattern.
func (r *Regexp) Get() *regexp.Regexp { return r.get() }

// MatchString is that of [regexp.Regexp].
func (r *Regexp) MatchString(s string) bool { return r.get().MatchString(s) }

// FindString is that of [regexp.Regexp].
func (r *Regexp) FindString(s string) string { return r.get().FindString(s) }

// FindStringIndex is that of [regexp.Regexp].
func (r *Regexp) FindStringIndex(s string) []int { return r.get().FindStringIndex(s) }

// FindStringSubmatch is that of [regexp.Regexp].
func (r *Regexp) FindStringSubmatch(s string) []string { return r.get().FindStringSubmatch(s) }

// FindStringSubmatchIndex is that of [regexp.Regexp].
func (r *Regexp) FindStringSubmatchIndex(s string) []int { return r.get().FindStringSubmatchIndex(s) }

// FindAllString is that of [regexp.Regexp].
func (r *Regexp) FindAllString(s string, n int) []string { return r.get().FindAllString(s, n) }

// FindAllStringIndex is that of [regexp.Regexp].
func (r *Regexp) FindAllStringIndex(s string, n int) [][]int { return r.get().FindAllStringIndex(s, n) }

// FindAllStringSubmatch is that of [regexp.Regexp].
func (r *Regexp) FindAllStringSubmatch(s string, n int) [][]string {
	return r.get().FindAllStringSubmatch(s, n)
}

// FindAllStringSubmatchIndex is that of [regexp.Regexp].
func (r *Regexp) FindAllStringSubmatchIndex(s string, n int) [][]int {
	return r.get().FindAllStringSubmatchIndex(s, n)
}

// ReplaceAllString is that of [regexp.Regexp].
func (r *Regexp) ReplaceAllString(src, repl string) string {
	return r.get().ReplaceAllString(src, repl)
}

// ReplaceAllStringFunc is that of [regexp.Regexp].
func (r *Regexp) ReplaceAllStringFunc(src string, repl func(string) string) string {
	return r.get().ReplaceAllStringFunc(src, repl)
}

// SubexpIndex is that of [regexp.Regexp].
func (r *Regexp) SubexpIndex(name string) int { return r.get().SubexpIndex(name) }

// Match is that of [regexp.Regexp].
func (r *Regexp) Match(b []byte) bool { return r.get().Match(b) }
