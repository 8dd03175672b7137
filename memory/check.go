package memory

// Reason is a stable code that says why something was done or not done.
type Reason string

// Why a candidate is refused.
const (
	LowConfidence Reason = "low_confidence"
	ShortTitle    Reason = "short_title"
	ShortBody     Reason = "short_body"
	BodyIsTitle   Reason = "body_repeats_title"
	Placeholder   Reason = "placeholder"
	ToldByCode    Reason = "told_by_code"    // the code or git already says it
	SessionOnly   Reason = "session_only"    // of no use tomorrow
	SpeaksToModel Reason = "speaks_to_model" // an instruction, not a fact
	BadPrimitive  Reason = "bad_primitive"
)

// Check says whether a candidate may become a memory, whoever proposed it.
func Check(c Candidate) (Reason, bool) { return "", true }
