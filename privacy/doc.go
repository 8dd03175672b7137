// Package privacy answers one question: what of this text may be kept?
//
// It is the gate. Everything that comes from outside (prompts, tool inputs and
// outputs, paths, names, a model's answer) goes through a [Gate] and comes out
// as [Clean], the only text type that store, llm and memory accept. Nothing
// outside this package can build a Clean from a run-time string.
package privacy
