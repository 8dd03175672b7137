package value

// Looks describes the kind of a value without revealing anything of it.
func Looks(v string) string {
	switch {
	case v == "":
		return "nothing"
	case UuidLike(v):
		return "a UUID"
	case HexKey(v):
		return "a key in hex"
	case Integer(v):
		return "a number"
	case Random(v):
		return "drawn"
	case Chosen(v) || CountKinds(v).Sorts() > 2 && !Wordy(v):
		return "several sorts of characters"
	case TypedByHand(v):
		return "letters with digits"
	case HandWritten(v) || MarkedWord(v):
		return "words with signs"
	case UnlikeWords(v):
		return "letters in no order of words"
	case PlainWords(v):
		return "words"
	}
	return "signs and letters"
}
