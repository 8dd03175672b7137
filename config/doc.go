// Package config answers one question: which settings are in force, and where did each come from?
//
// Later layers win: defaults, $MUM_HOME/config.toml, environment (MUM_DAEMON__PORT is daemon.port), flags. A
// repository's own .mum/config.toml is read separately ([LoadRepo]) and can only tighten the rules.
package config
