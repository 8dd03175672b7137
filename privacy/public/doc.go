// Package public answers one question: does the form, the name or the place of a value mean that it gives no access?
//
// These are the vetoes. A finding that is an id, a public key, a checksum, an example or a name in code stays in the
// text, whatever the name next to it says: public has the forms, publicname the names, publicplace what is before a
// value, listing and symbol what programs print, testvector and example what documentation shows.
package public
