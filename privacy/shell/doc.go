// Package shell answers one question: what does a command line do with files and secrets? It reads the line as a shell
// would, and runs nothing.
//
//   - which files a command names, and how it uses each of them: shell walks the
//     syntax tree, call reads one command, words expands, tables knows the programs,
//     handing knows how a program is given a file without printing it
//   - what of its output may be stored: policy for what it always prints,
//     secretfield for a secret that it extracts from a text, harmless for what
//     looks like that and is not
//   - what only a shell would see: aloud for variables filled in, assigned
//
// If something cannot be known without running the command, the package assumes the worst.
package shell
