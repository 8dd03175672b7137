package judge

import "keepmum/privacy/fnvmap"

// group is a group of features; the hash of its name is computed once.
type group struct {
	name string
	sum  uint64
}

func groupOf(name string) group { return group{name, (fnvmap.Hash(name) ^ '=') * fnvmap.Prime} }

// cueGroups are the features of a cue near a candidate.
type cueGroups struct{ cue, odd, farKind, word, wordKind group }

func cueGroupsOf(name string) cueGroups {
	return cueGroups{
		cue: groupOf(name + ".cue"), odd: groupOf(name + ".cue.odd"), farKind: groupOf(name + ".cue.far.kind"),
		word: groupOf(name + ".cue.word"), wordKind: groupOf(name + ".cue.word.kind"),
	}
}

var (
	cueBefore = cueGroupsOf("before")
	cueSecond = cueGroupsOf("before.second")
	cueBehind = cueGroupsOf("behind")
)

// The groups of features.go and firststage.go, each named after its group: fBeforeWord is "before.word".
var (
	fBeforeAccount       = groupOf("before.account")
	fBeforeAccountLead   = groupOf("before.account.lead")
	fBeforeClass         = groupOf("before.class")
	fBeforeClassKind     = groupOf("before.class.kind")
	fBeforeClassOdd      = groupOf("before.class.odd")
	fBeforeClassSign     = groupOf("before.class.sign")
	fBeforeClasses       = groupOf("before.classes")
	fBeforeLead          = groupOf("before.lead")
	fBeforeLeadClassSign = groupOf("before.lead.class.sign")
	fBeforeLeadSign      = groupOf("before.lead.sign")
	fBeforeName          = groupOf("before.name")
	fBeforeNameKind      = groupOf("before.name.kind")
	fBeforePart          = groupOf("before.part")
	fBeforePartLead      = groupOf("before.part.lead")
	fBeforeSign          = groupOf("before.sign")
	fBeforeSignKind      = groupOf("before.sign.kind")
	fBeforeStem          = groupOf("before.stem")
	fBeforeStem2         = groupOf("before.stem2")
	fBeforeStem3         = groupOf("before.stem3")
	fBeforeWord          = groupOf("before.word")
	fBeforeWord2         = groupOf("before.word2")
	fBeforeWords         = groupOf("before.words")
	fBehindClass         = groupOf("behind.class")
	fBehindClassOdd      = groupOf("behind.class.odd")
	fBehindSign          = groupOf("behind.sign")
	fBehindSignKind      = groupOf("behind.sign.kind")
	fBehindSignLead      = groupOf("behind.sign.lead")
	fBehindStem          = groupOf("behind.stem")
	fBehindWord          = groupOf("behind.word")
	fBehindWord2         = groupOf("behind.word2")
	fFirstBehind         = groupOf("first.behind")
	fFirstLead           = groupOf("first.lead")
	fFirstOdd            = groupOf("first.odd")
	fFirstSign           = groupOf("first.sign")
	fFirstSize           = groupOf("first.size")
	fLineAlone           = groupOf("line.alone")
	fLineAt              = groupOf("line.at")
	fLineAtOdd           = groupOf("line.at.odd")
	fLineBefore          = groupOf("line.before")
	fLineBegins          = groupOf("line.begins")
	fLineBeginsKind      = groupOf("line.begins.kind")
	fLineBehind          = groupOf("line.behind")
	fLineColumn          = groupOf("line.column")
	fLineColumnOdd       = groupOf("line.column.odd")
	fLineCues            = groupOf("line.cues")
	fLineCuesKind        = groupOf("line.cues.kind")
	fLineKind            = groupOf("line.kind")
	fLineKindKind        = groupOf("line.kind.kind")
	fLineKindOdd         = groupOf("line.kind.odd")
	fLineLead            = groupOf("line.lead")
	fLineOdd             = groupOf("line.odd")
	fLineOver            = groupOf("line.over")
	fLineOverOdd         = groupOf("line.over.odd")
	fLineTaken           = groupOf("line.taken")
	fLineWords           = groupOf("line.words")
	fValueAgain          = groupOf("value.again")
	fValueCapitals       = groupOf("value.capitals")
	fValueDigits         = groupOf("value.digits")
	fValueEnds           = groupOf("value.ends")
	fValueIs             = groupOf("value.is")
	fValueJoints         = groupOf("value.joints")
	fValueKind           = groupOf("value.kind")
	fValueOdd            = groupOf("value.odd")
	fValuePart           = groupOf("value.part")
	fValueRarest         = groupOf("value.rarest")
	fValueShape          = groupOf("value.shape")
	fValueSign           = groupOf("value.sign")
	fValueSigns          = groupOf("value.signs")
	fValueSize           = groupOf("value.size")
	fValueSurprise       = groupOf("value.surprise")
	fValueWords          = groupOf("value.words")
)
