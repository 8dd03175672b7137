// Package shell answers one question: what does a command line do with files and
// secrets? It is read as a shell would read it, and nothing is run.
//
//   - which files a command names, and how it takes each of them: shell walks what
//     the parser made, call reads one command, words expands, tables knows the
//     programs, handing how a program is handed a file without printing it
//   - what may be kept of its output: policy for what it prints by its nature,
//     secretfield for a secret that it takes out of a text, harmless for what
//     looks like that and is not
//   - what only a shell would see: aloud for variables filled in, assigned
//
// What cannot be known without running it counts as what would be worst.
package shell
