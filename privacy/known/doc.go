// Package known answers one question: which values are secret because they were seen?
//
// In the files of this machine (vault, vaultfiles), in what was withheld (harvest,
// unpack), earlier in a session (taint); valueset holds them as keyed hashes and
// looks for them in any of their spellings.
package known
