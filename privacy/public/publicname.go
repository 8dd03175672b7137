package public

import (
	"strings"

	"keepmum/privacy/assign"
	"keepmum/privacy/scan"
	"keepmum/privacy/value"
)

// Name reports whether a name means that its value is public.
func Name(words []string) bool {
	if len(words) == 0 || words[len(words)-1] == "salt" {
		return false
	}
	for _, w := range words {
		switch w {
		case "public", "pub", "pubkey", "hash", "digest", "checksum", "fingerprint", "thumbprint", "integrity", "accessor":
			return true
		case "sealed":
			return words[len(words)-1] == "key"
		case "encrypted":
			return !value.InList(words[len(words)-1], " password passwd pass ") // some routers only encode these
		}
	}
	last := len(words) - 1
	if last == 0 {
		return false
	}
	if words[last] == "token" { // of a page, a cursor: it is in the list of names
		return value.WordsStrength(words, words[last]) == value.NotSecret
	}
	if words[last] == "key" && value.InList(words[last-1], " artifact cache partition site sort trace ") {
		return true
	}
	return value.InList(words[last-1], " websocket socket ") && value.InList(words[last], " key accept ")
}

// AgentSession reports whether a value is the id of an agent's session, which a log or a command names, or the link to
// one in the trailer of a commit; in another address or a cookie such an id gives access.
func AgentSession(words []string, a assign.Assignment, val string) bool {
	if a.Sep == assign.Equals || len(words) == 0 || !value.InList(words[len(words)-1], " session sessions ") {
		return false
	}
	return value.UUIDLike(val) || len(words) > 1 && a.Sep == assign.Colon && sessionLink(val)
}

// sessionLink reports whether a link ends with an id that says what it is the id of: https://HOST/code/session_01Kv….
func sessionLink(link string) bool {
	path, ok := strings.CutPrefix(link, "https://")
	id := path[strings.LastIndexByte(path, '/')+1:]
	return ok && !strings.ContainsAny(path, "?#@=") && id != path && strings.HasPrefix(id, "session_")
}

// NamedID reports whether a value is an id with a name for ids.
func NamedID(name, val string) bool {
	n := len(name)
	if value.EndsWithAny(value.LowerASCII(name), "appid", "app_id", "app-id") && name != "appid" {
		return len(val) != 32 || !value.HexKey(val) // the id of a data service, not of a program
	}
	if value.UUIDLike(val) && strings.IndexByte(name, '_') < 0 &&
		value.EndsWithAny(value.LowerASCII(name), "clienttoken", "requesttoken", "idempotencytoken") {
		return true // it distinguishes a request from its repetition
	}
	return n > 2 && strings.EqualFold(name[n-2:], "id") && (value.UUIDLike(val) || ID(val)) &&
		!strings.HasSuffix(strings.ReplaceAll(strings.ToLower(name), "_", ""), "secretid")
}

// KeyName reports whether what is before the lone word "key" means that the value is public: "cache key".
func KeyName(s *scan.Scanner, from int, words []string) bool {
	if from > 0 && s.Text[from-1] == '/' {
		return strings.HasSuffix(s.Text[:from-1], "checksum") // an annotation of a chart: checksum/secret
	}
	if len(words) != 1 || words[0] != "key" || from < 2 || s.Text[from-1] != ' ' {
		return false
	}
	before, end := assign.NameAt(s.Text, from-1)
	return value.InList(value.LowerASCII(s.Text[before:end]), publicKeyWords)
}

// publicKeyWords are kinds of keys that a sentence can name without revealing anything.
const publicKeyWords = " public pub primary foreign sort partition cache artifact object index lookup search " +
	"idempotency natural unique composite candidate duplicate row column peer crashreporter kernel "

// ID reports whether a run is the id of a customer, a price or a payment in Stripe's notation, or of a message or
// a call of a model: these give no access.
func ID(run string) bool {
	kind, id, ok := strings.Cut(run, "_")
	return ok && value.InList(kind,
		" cus pi price evt acct prod sub in ch pm si txn req seti toolu srvtoolu msg call run thread asst resp rs fc ws "+
			"chatcmpl msgbatch prt ses sesn sthr wrkspc agent session ") && value.GroupEnd(id, 0) == len(id)
}
