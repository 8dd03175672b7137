// Package shell answers one question: what does a command line do with files and secrets? It reads the line as a shell
// would, and runs nothing.
//
//   - which files a command names, and how it uses each of them: shell walks the
//     syntax tree, call reads one command, words and altered expand, wrapper finds the
//     command behind sudo, written remembers what a script writes to a file and then
//     runs, programs knows the programs, as data in programs.txt
//   - whether their contents are printed: silent for commands that print nothing of
//     them, handing for files that a program is given without printing them, unnamed for
//     lines that are printed without the name of their file
//   - what of its output may be stored: policy for what it always prints,
//     secretfield for a secret that it extracts from a text
//   - what only a shell would see, with variables filled in: aloud
//
// If something cannot be known without running the command, the package assumes the worst.
package shell
