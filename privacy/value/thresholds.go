package value

// All thresholds for how irregular a value must be are here; a test searches for others elsewhere. Bits are those of
// [CrossEntropy]: the mean per byte, from the pairs of letters in code and English (names and words are below 4, random
// letters and digits above 5).
//
// The last columns of a comment are the description that `mum redact --why` shows for values above the threshold, and
// the number of findings with that description per MB of ordinary text: in all texts that tools/gatediff/benign.sh
// collects for tuning (414 MB), and in those without test code (301 MB). Most findings in test code are keys that
// somebody made up for a test.
const (
	// name, value (bits, if nothing else is said): why that number | looks | false findings per MB, without test code
	// letters with two runs of digits: names of code with numbers are below 5 | drawn | 1.93 / 0.44
	DrawnMixed    = 5.2
	DrawnLetters  = 6.2 // letters of both cases alone: long names of code come close to 6 | drawn | 1.93 / 0.44
	DrawnShort    = 5.6 // a part of a token beside a secret's name: words with digits are below | drawn | 1.93 / 0.44
	DrawnPiece    = 5.5 // letters in no order of words, however many are joined | letters in no order | 0.09 / 0.06
	DrawnLine     = 6.0 // a line of a body that nothing names | drawn | 1.93 / 0.44
	DrawnAtAll    = 5.0 // takes back: a long name begins like a token too | a rule's form | 3.12 / 0.42
	WordyLetters  = 5.6 // takes back: letters alone read like words below it | several sorts | 0.78 / 0.26
	WordyNumbered = 5.0 // takes back: words with one number | several sorts | 0.78 / 0.26
	WordyMixed    = 4.4 // takes back: words with numbers in several places | several sorts | 0.78 / 0.26
	WordSpoken    = 6.0 // takes back: a word of three letters and more in a name of code | drawn | 1.93 / 0.44
	WordsSpoken   = 4.8 // takes back: the words of a name that a compiler mangled | drawn | 1.93 / 0.44
	// letters as a password: changePassword is below, qwertzuiop above | letters in no order | 0.09 / 0.06
	KeyboardRun    = 5.2
	BracketsBound  = 5.0 // a value whose brackets do not pair is no code | signs and letters | 0.52 / 0.22
	BracketsPaired = 6.0 // nor is one whose brackets pair | signs and letters | 0.52 / 0.22
	// bits of entropy: hex in a file that is withheld: 40 and 64 are checksums | none: withheld | -
	HarvestHex     = 3.0
	HarvestOneCase = 3.6 // bits of entropy: letters of one case with digits there | none: withheld | -
	HarvestMixed   = 3.5 // bits of entropy: letters of both cases there | none: withheld | -
	// digits: a number that is taken out elsewhere too: else dates and ports | a number | 0.11 / 0.01
	SpreadDigits = 10
	// bytes: letters with a sign of passwords that are: shorter ones are names | words with signs | 0.02 / 0.02
	SpreadMarked = 12
	// different digits: takes back: a UUID that somebody typed; five are in samples | a UUID | 0.12 / 0.05
	TypedDigits = 4
)
