package judge

import (
	"strings"

	"keepmum/privacy/scan"
	"keepmum/privacy/value"
)

// PublicName reports whether a name means that its value is public.
func PublicName(words []string) bool {
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
	return last > 0 && value.InList(words[last-1], " websocket socket ") && value.InList(words[last], " key accept ")
}

// RepeatsName reports whether a value is the name again, in any notation, or another thing with the same long name.
func RepeatsName(name, val string) bool {
	product, _, _ := strings.Cut(name, "_")
	if strings.EqualFold(product, val) &&
		value.InList(val, " postgres mysql mariadb redis rabbitmq mongo minio grafana kibana elastic neo4j ") {
		return true
	}
	return sameName(name, val) || strings.HasSuffix(val, "."+name) || len(name) >= 12 && strings.Contains(val, name)
}

// sameName reports whether a value is the last words of a name, in any notation: KrakenApiSecret and
// "kraken_api_secret".
func sameName(name, val string) bool {
	const least, several = 6, 9 // letters: of a name, and of a name of several words
	name, val = joinedLower(name), joinedLower(val)
	if bare := strings.TrimRight(name, "0123456789"); bare != name {
		name, val = bare, strings.TrimRight(val, "0123456789") // password_0 and password_3
	}
	return len(val) >= least && strings.HasSuffix(name, val) || len(name) >= several && strings.HasSuffix(val, name)
}

// AgentSession reports whether a value is the id of an agent's session, which a log or a command names, or the link to
// one in the trailer of a commit; in another address or a cookie such an id gives access.
func AgentSession(words []string, a Assignment, val string) bool {
	if a.Sep == Equals || len(words) == 0 || !value.InList(words[len(words)-1], " session sessions ") {
		return false
	}
	return value.UuidLike(val) || len(words) > 1 && a.Sep == Colon && sessionLink(val)
}

// sessionLink reports whether a link ends with an id that says what it is the id of: https://HOST/code/session_01Kv….
func sessionLink(link string) bool {
	path, ok := strings.CutPrefix(link, "https://")
	id := path[strings.LastIndexByte(path, '/')+1:]
	return ok && !strings.ContainsAny(path, "?#@=") && id != path && strings.HasPrefix(id, "session_")
}

var withoutJoints = strings.NewReplacer("_", "", "-", "", ".", "")

func joinedLower(name string) string { return strings.ToLower(withoutJoints.Replace(name)) }

// NamedID reports whether a value is an id with a name for ids.
func NamedID(name, val string) bool {
	n := len(name)
	if value.EndsWithAny(value.LowerASCII(name), "appid", "app_id", "app-id") && name != "appid" {
		return len(val) != 32 || !value.HexKey(val) // the id of a data service, not of a program
	}
	if value.UuidLike(val) && strings.IndexByte(name, '_') < 0 &&
		value.EndsWithAny(value.LowerASCII(name), "clienttoken", "requesttoken", "idempotencytoken") {
		return true // it distinguishes a request from its repetition
	}
	return n > 2 && strings.EqualFold(name[n-2:], "id") && (value.UuidLike(val) || PublicID(val)) &&
		!strings.HasSuffix(strings.ReplaceAll(strings.ToLower(name), "_", ""), "secretid")
}

func SuffixFold(name, end string) bool {
	return len(name) >= len(end) && strings.EqualFold(name[len(name)-len(end):], end)
}

// ListedDigest reports whether a value is in a list of digests, as in lock files of packages: the line above or below
// ends with another.
func ListedDigest(s *scan.Scanner, a Assignment) bool {
	v := s.Text[a.Start:a.End]
	if len(v) != 40 && len(v) != 64 || !value.CountKinds(v).Hex {
		return false
	}
	ends := a.End
	if a.Quoted {
		for ends < len(s.Text) && strings.IndexByte("\"',", s.Text[ends]) >= 0 {
			ends++
		}
	}
	if !LineEnd(s, ends) {
		return false
	}
	start := value.LineStart(s.Text, a.Start, scan.MaxName)
	above := strings.TrimRight(s.Text[max(0, start-scan.MaxName):start], "\r\n")
	below, _, _ := strings.Cut(s.Text[min(len(s.Text), ends+1):min(len(s.Text), ends+2*scan.MaxName)], "\n")
	for _, line := range []string{above, strings.TrimRight(below, "\r")} {
		if a.Quoted {
			line = strings.ReplaceAll(strings.TrimRight(line, "\"',"), "\"", "")
		}
		if other := line[strings.LastIndexByte(line, ' ')+1:]; len(other) == len(v) && other != v &&
			value.CountKinds(other).Hex {
			name, ok := strings.CutSuffix(line[:len(line)-len(v)], ": ")
			return ok && value.KeyStrength(strings.TrimLeft(name, " \t+-")) == value.NotSecret
		}
	}
	return false
}

// PublicKeyName reports whether what is before the lone word "key" means that the value is public: "cache key".
func PublicKeyName(s *scan.Scanner, from int, words []string) bool {
	if from > 0 && s.Text[from-1] == '/' {
		return strings.HasSuffix(s.Text[:from-1], "checksum") // an annotation of a chart: checksum/secret
	}
	if len(words) != 1 || words[0] != "key" || from < 2 || s.Text[from-1] != ' ' {
		return false
	}
	before, end := NameAt(s.Text, from-1)
	return value.InList(value.LowerASCII(s.Text[before:end]), publicKeyWords)
}

// publicKeyWords are kinds of keys that a sentence can name without revealing anything.
const publicKeyWords = " public pub primary foreign sort partition cache object index lookup search idempotency " +
	"natural unique composite candidate duplicate row column peer crashreporter kernel "
