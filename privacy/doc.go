// Package privacy answers one question: what of this text may be kept?
//
// It is the gate. Everything that comes from outside (prompts, tool inputs and
// outputs, paths, names, a model's answer) goes through a [Gate] and comes out
// as [Clean], the only text type that store, llm and memory accept. Nothing
// outside this package can build a Clean from a run-time string.
//
// Where what is judged lives:
//
//   - an event and its trees: gate, event, leaf, tree, keyed, jsontext, spot
//     (what stands around a value), argv, kubernetes, tags, cap
//   - what a denied file is and what a command does: packages denylist and shell;
//     what the gate withholds for that: withhold, settings, handedvalues; what was
//     in it is known again: harvest, taint, valueset
//   - the secrets of this machine: vault, vaultfiles
//   - a conversation that hands a secret over: talk, asked, selected
//   - one text: scan runs over it once; the automaton (automaton, lanes, runs)
//     calls the rules (rules/*.rules, match) and the detectors (detect)
//   - a name and its value: name goes through all that is asked of it, package
//     keyname says how sure it is (names has short names for that), openname that
//     all may see its value, assign and literal find the value, value, fits, random
//     wordpass and oddword judge it
//   - values elsewhere: neighbours, beside, block, table, phrases, prose, sentence,
//     spelling, device, conversed, lockcode, pins, nearby, grouped, calls, command, stdin, pasted, account, spaced,
//     setupkey, walletwords, header, url, pem
//   - what tools, machines and installers are told: operands, services, toolconfigs,
//     installers, declared, nametold
//   - other readings of the same bytes: view, gutter, encoded, bytelist, keybytes, lookalike
//   - what is put in a secret's place: span, placeholder, propagate, finder
package privacy
