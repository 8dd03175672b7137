// Package privacy answers one question: what of this text may be kept?
//
// It is the gate. Everything that comes from outside (prompts, tool inputs and
// outputs, paths, names, a model's answer) goes through a [Gate] and comes out
// as [Clean], the only text type that store, llm and memory accept. Nothing
// outside this package can build a Clean from a run-time string.
//
// Where what is judged lives:
//
//   - what goes in and comes out: gate, event, clean, id, cap; the samples that each
//     rule and shape has: samples
//   - an event and its trees: leaf, tree, keyed, jsontext, spot (what stands around a
//     value), argv, kubernetes; tokens in two strings of one event: seams
//   - what a person keeps out: tags and private (blocks, sessions), personal (mode
//     strict), userpattern
//   - what a denied file is and what a command does: packages denylist and shell;
//     what the gate withholds for that: withhold, settings, handedvalues; what was
//     in it is known again: harvest, unpack, taint, valueset
//   - the secrets of this machine: vault, vaultfiles
//   - a conversation that hands a secret over: talk, asked, selected
//   - one text: scan runs over it once; the automaton (automaton, lanes, runs)
//     calls the rules (rules/*.rules, match) and the detectors (detect); what a flood
//     repeats is judged a few times: repeat
//   - a name and its value: name goes through all that is asked of it, package
//     keyname says how sure it is (names has short names for that), openname that
//     all may see its value, assign and literal find the value, labels know what is
//     text for people, value, fits, random, wordpass, handwritten and oddword judge it
//   - values elsewhere: neighbours, beside, block, table, phrases, prose, sentence,
//     spelling, conversed, nearby, grouped, calls, command, stdin, pasted, account,
//     spaced, header, url, link, pem, vendor
//   - digits and words that open something: codes, pins, lockcode, setupkey,
//     walletwords, keymaterial
//   - what tools, machines and installers are told: operands, services, toolconfigs,
//     installers, declared, nametold, device, grammars
//   - other readings of the same bytes: view, gutter, encoded, bytelist, keybytes,
//     lookalike, ascii
//   - what is put in a secret's place: span, placeholder, propagate, finder; what is
//     found and is there for everybody: public
package privacy
