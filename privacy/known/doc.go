// Package known answers one question: which values are secret because they were recognised before?
//
// They come from the files of this machine (vault, vaultfiles), from withheld content (harvest, unpack), and from
// earlier in a session (taint). valueset stores them as keyed hashes and finds them in any of their forms.
package known
