package value

// Describe describes the kind of a value without revealing anything of it.
func Describe(v string) string {
	switch {
	case v == "":
		return "nothing"
	case UUIDLike(v):
		return "a UUID"
	case HexKey(v):
		return "a key in hex"
	case Integer(v):
		return "a number"
	case Random(v):
		return "drawn"
	case SymbolPassword(v) || CountKinds(v).Sorts() > 2 && !ReadsLikeWords(v):
		return "several sorts of characters"
	case LettersAndDigits(v):
		return "letters with digits"
	case PunctuatedPassword(v) || WordWithSymbol(v):
		return "words with signs"
	case RandomLetters(v):
		return "letters in no order of words"
	case PlainWords(v):
		return "words"
	}
	return "signs and letters"
}
