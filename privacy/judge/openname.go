package judge

import (
	"strings"

	"keepmum/privacy/scan"
	"keepmum/privacy/value"
)

// Openly reports whether a name says that its value is for everybody's eyes.
func Openly(words []string) bool {
	if len(words) == 0 || words[len(words)-1] == "salt" {
		return false
	}
	for _, w := range words {
		switch w {
		case "public", "pub", "pubkey", "hash", "digest", "checksum", "fingerprint", "thumbprint", "integrity", "accessor":
			return true
		}
	}
	return false
}

// RefersTo reports whether a value is another thing of the same long name.
func RefersTo(name, val string) bool {
	product, _, _ := strings.Cut(name, "_")
	return len(name) >= 12 && strings.Contains(val, name) || value.In(val, " postgres mysql mariadb redis rabbitmq mongo minio grafana kibana elastic neo4j ") && strings.EqualFold(product, val)
}

// NamedID reports whether a value is an id that is called one.
func NamedID(name, val string) bool {
	n := len(name)
	if SuffixFold(name, "appId") && n > len("appid") || SuffixFold(name, "app_id") || SuffixFold(name, "app-id") || name == "appID" || name == "appId" {
		return len(val) != 32 || !value.HexKey(val) // that of a service of data, not of a program
	}
	if value.UuidLike(val) && strings.IndexByte(name, '_') < 0 && (SuffixFold(name, "ClientToken") || SuffixFold(name, "RequestToken") || SuffixFold(name, "IdempotencyToken")) {
		return true // it tells a request from its repetition
	}
	return n > 2 && strings.EqualFold(name[n-2:], "id") && (value.UuidLike(val) || OpenID(val)) && !strings.HasSuffix(strings.ReplaceAll(strings.ToLower(name), "_", ""), "secretid")
}

func SuffixFold(name, end string) bool {
	return len(name) >= len(end) && strings.EqualFold(name[len(name)-len(end):], end)
}

// ListedDigest reports whether a value is one of a list of digests, as files that
// lock the versions of packages hold them: the line above or below ends with another.
func ListedDigest(s *scan.Scanner, a Assignment) bool {
	v := s.Text[a.Start:a.End]
	if len(v) != 40 && len(v) != 64 || !value.CountKinds(v).Hex || !LineEnd(s, a.End) {
		return false
	}
	start := value.LineStart(s.Text, a.Start, scan.MaxName)
	above := strings.TrimRight(s.Text[max(0, start-scan.MaxName):start], "\r\n")
	below, _, _ := strings.Cut(s.Text[min(len(s.Text), a.End+1):min(len(s.Text), a.End+scan.MaxName)], "\n")
	for _, line := range []string{above, strings.TrimRight(below, "\r")} {
		if other := line[strings.LastIndexByte(line, ' ')+1:]; len(other) == len(v) && other != v && value.CountKinds(other).Hex {
			name, ok := strings.CutSuffix(line[:len(line)-len(v)], ": ")
			return ok && value.KeyStrength(strings.TrimLeft(name, " +-")) == value.NotSecret
		}
	}
	return false
}

// StoreKey reports whether a value goes on with the name of a thing in a store
// instead of being one: session:UUID of Redis.
func StoreKey(s *scan.Scanner, from int, a Assignment) bool {
	if a.Quoted || a.Sep != Colon {
		return false
	}
	v := s.Text[a.Start:a.End]
	if strings.Count(v, ":") > 1 && strings.Trim(v, "abcdefghijklmnopqrstuvwxyz0123456789:.-") == "" && a.Start > 0 && s.Text[a.Start-1] == ':' && value.PlainWords(v[:strings.IndexByte(v, ':')]) {
		return true
	}
	if name, id, ok := strings.Cut(v, ":"); ok && value.In(name, " sess session sessions ") {
		return value.UuidLike(id)
	}
	return value.UuidLike(v) && s.Text[a.Start-1] == ':' && (strings.HasSuffix(s.Text[from:a.Start], "session:") || strings.HasSuffix(s.Text[from:a.Start], "sess:"))
}

// OpenKey reports whether what stands before the lone word "key" or the path
// before a name says that all may see its value: "cache key", checksum/secret.
func OpenKey(s *scan.Scanner, from int, words []string) bool {
	if resourceType(s, from) {
		return true
	}
	if from > 0 && s.Text[from-1] == '/' {
		path, _ := NameAt(s.Text, from-1)
		return OpenPath(s.Text[path : from-1])
	}
	if len(words) != 1 || words[0] != "key" || from < 2 || s.Text[from-1] != ' ' {
		return false
	}
	before, end := NameAt(s.Text, from-1)
	return value.In(value.LowerASCII(s.Text[before:end]), openKeys)
}

// resourceType reports whether a name is the last part of a type of resource,
// as the key of a member: "AWS::IAM::AccessKey".
func resourceType(s *scan.Scanner, from int) bool {
	at := from
	for at > 0 && from-at < scan.MaxName && (value.WordByte(s.Text[at-1]) || s.Text[at-1] == ':') {
		at--
	}
	return at > 0 && s.Text[at-1] == '"' && strings.Count(s.Text[at:from], "::") > 1 && s.Text[from] >= 'A' && s.Text[from] <= 'Z' && s.Text[from-1] == ':'
}

// OpenPath reports whether what stands before the slash of a name says that it
// is of a digest, as in the annotations of charts: checksum/secret.
func OpenPath(path string) bool { return path == "checksum" || path == "hash" }

// openKeys are kinds of keys that a sentence names without giving anything away.
const openKeys = " public pub primary foreign sort partition cache object index lookup search idempotency natural unique composite candidate duplicate row column peer crashreporter kernel "
