// Package speech answers one question: where in a sentence is a word that speaks of a secret?
//
// Such a word is a cue: "Passwort", "wachtwoord", "пароль". cues and beyondascii find them in all languages, classes
// knows the words that may be between a cue and its value ("is", "lautet", "for the"). Whether a word near a cue is a
// secret is judged by weights (package judge).
package speech
