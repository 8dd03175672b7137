// Package privacy answers one question: what of this text may be kept?
//
// It is the gate. Everything that comes from outside (prompts, tool inputs and outputs, paths, names, a model's answer)
// goes through a [Gate] and comes out as [Clean], the only text type that store, llm and memory accept. Nothing outside
// this package can build a Clean from a run-time string.
//
// Its parts, from bottom to top; imports only go upwards:
//
//   - value: what a value looks like on its own; keyname: how surely a name means a secret
//   - rules: tokens of vendors, as data; languages: words for secrets, as data
//   - scan: one pass over a text, its words and spans
//   - speech: words of a sentence that speak of a secret; assign: where a value starts and ends
//   - public: what gives no access
//   - judge: is this candidate a secret in this place?
//   - pair: names and their values, in code, tables and sentences
//   - place: commands, headers, URLs, blocks of keys
//   - view: other readings of the same bytes
//   - known: values that were recognised as secrets before
//   - verdict: what the user said about a value
//   - shell, denylist, pathglob: what a command does, which files are denied
//
// And in this package:
//
//   - input and output: gate, event, clean; the samples of each rule
//     and shape: samples; which word triggers which reader: detect
//   - an event: document (its strings, as nodes), tree, member (a value with its key),
//     jsontext, prior (what is around a value); argv: the words of a command, read as
//     one line; lines: the strings of a list, read as one text
//   - what the user keeps out: tags and private, userpattern
//   - what the gate withholds: withhold, settings, envfile
//   - a conversation in which a secret is handed over: dialog, queriedcolumns
//   - where else a secret is: propagate
//   - what the user is told and may correct: why, verdicts
package privacy
