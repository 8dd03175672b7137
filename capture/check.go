package capture

import (
	"fmt"
	"slices"
	"strings"

	"keepmum/config"
	"keepmum/hooks"
	"keepmum/privacy"
)

// CheckStart returns the error with which a daemon would refuse to start with these settings. Whoever stops a daemon in
// order to start it again asks first.
func CheckStart(c config.Config, userHome string) error {
	whole := c
	whole.Privacy.Vault = false // no text is cleaned here
	if _, err := NewIntake(Options{Config: whole, UserHome: userHome}); err != nil {
		return err
	}
	return c.Daemon.CheckHost()
}

// CheckSettings returns an error for settings that capture cannot use, and for valid ones that nobody can have
// intended.
func CheckSettings(c config.Config, userHome string) error {
	if err := CheckStart(c, userHome); err != nil {
		return err
	}
	for _, agent := range c.Sync.Agents {
		if !slices.Contains(hooks.Agents(), agent) {
			return fmt.Errorf("sync.agents has %q: it must name some of %s", agent, strings.Join(hooks.Agents(), ", "))
		}
	}
	for _, p := range patterns(c.Privacy.Patterns) {
		gate, err := privacy.New(privacy.Options{Patterns: []privacy.Pattern{p}})
		if err != nil {
			return err
		}
		if RedactsPlainWords(gate) {
			return fmt.Errorf("the pattern %q redacts ordinary words: nothing would be left", p.Name)
		}
	}
	return nil
}

// RedactsPlainWords reports whether a gate redacts ordinary words, so that nothing would be left to read.
func RedactsPlainWords(gate *privacy.Gate) bool {
	_, found := gate.Text("the quick brown fox jumps over the lazy dog")
	return len(found) > 0
}
