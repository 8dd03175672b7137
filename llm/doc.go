// Package llm answers one question: how is a model asked, and is it really where it claims to be?
//
// A [Question] consists of our own constant words, a cleaned body and a JSON schema. A [Provider] checks the
// destination, turns the question into the exact bytes of a [Request], and sends these bytes and no others. Between the
// two is the [Sender], the only way out: it runs the current privacy rules again, then an independent detector, and
// writes the ledger before the first byte leaves.
//
// A model that cannot be proven to be local is refused, with the reason. No setting downloads a model.
package llm
