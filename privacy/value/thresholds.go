package value

// Every bound on how irregular a value is is here; a test looks for others. Bits are
// those of [Surprise], the mean of a byte by the pairs of letters in code and English
// (names and words are below 4, drawn letters and digits above 5).
//
// The last columns are what a value looks like that the bound lets through, as
// `mum redact --why` says it, and how many findings that look so a MB of ordinary text has:
// of all that tools/gatediff/benign.sh collects to tune on (414 MB), and of that without
// test code (301 MB), of which most findings are keys that somebody made up for a test.
const (
	// name, value (bits, if nothing else is said): why that number | looks | false findings per MB, without test code
	DrawnMixed     = 5.2 // letters with two runs of digits: names of code with numbers are below 5 | drawn | 1.93 / 0.44
	DrawnLetters   = 6.2 // letters of both cases alone: long names of code come close to 6 | drawn | 1.93 / 0.44
	DrawnShort     = 5.6 // a part of a token beside a secret's name: words with digits are below | drawn | 1.93 / 0.44
	DrawnPiece     = 5.5 // letters in no order of words, however many are joined | letters in no order | 0.09 / 0.06
	DrawnLine      = 6.0 // a line of a body that nothing names | drawn | 1.93 / 0.44
	DrawnAtAll     = 5.0 // takes back: a long name begins like a token too | a rule's form | 3.12 / 0.42
	WordyLetters   = 5.6 // takes back: letters alone read like words below it | several sorts | 0.78 / 0.26
	WordyNumbered  = 5.0 // takes back: words with one number | several sorts | 0.78 / 0.26
	WordyMixed     = 4.4 // takes back: words with numbers in several places | several sorts | 0.78 / 0.26
	WordSpoken     = 6.0 // takes back: a word of three letters and more in a name of code | drawn | 1.93 / 0.44
	WordsSpoken    = 4.8 // takes back: the words of a name that a compiler mangled | drawn | 1.93 / 0.44
	KeyboardRun    = 5.2 // letters as a password: changePassword is below, qwertzuiop above | letters in no order | 0.09 / 0.06
	BracketsBound  = 5.0 // a value whose brackets do not pair is no code | signs and letters | 0.52 / 0.22
	BracketsPaired = 6.0 // nor is one whose brackets pair | signs and letters | 0.52 / 0.22
	HarvestHex     = 3.0 // bits of entropy: hex in a file that is withheld: 40 and 64 are checksums | none: withheld | -
	HarvestOneCase = 3.6 // bits of entropy: letters of one case with digits there | none: withheld | -
	HarvestMixed   = 3.5 // bits of entropy: letters of both cases there | none: withheld | -
	SpreadDigits   = 10  // digits: a number that is taken out elsewhere too: else dates and ports | a number | 0.11 / 0.01
	SpreadMarked   = 12  // bytes: letters with a sign of passwords that are: shorter ones are names | words with signs | 0.02 / 0.02
	TypedDigits    = 4   // different digits: takes back: a UUID that somebody typed; five are in samples | a UUID | 0.12 / 0.05
)
