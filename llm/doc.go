// Package llm answers one question: how is a model asked, and is it really where it says it is?
//
// A [Question] is our own constant words, a cleaned body and a JSON schema. A
// [Provider] turns it into the exact bytes of a [Request] after it has checked
// the destination, and sends those bytes and no others. Between the two stands
// the [Sender], the only way out: it runs today's privacy rules again, then an
// independent detector, and writes the ledger before the first byte leaves.
//
// Whoever cannot prove that a model is local is refused with the reason. There
// is no setting that downloads a model.
package llm
