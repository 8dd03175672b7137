package privacy

import "strings"

// openly reports whether a name says that its value is for everybody's eyes.
func openly(words []string) bool {
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

// refersTo reports whether a value is another thing of the same long name.
func refersTo(name, value string) bool {
	product, _, _ := strings.Cut(name, "_")
	return len(name) >= 12 && strings.Contains(value, name) || in(value, " postgres mysql mariadb redis rabbitmq mongo minio grafana kibana elastic neo4j ") && strings.EqualFold(product, value)
}

// namedID reports whether a value is an id that is called one.
func namedID(name, value string) bool {
	n := len(name)
	if suffixFold(name, "appId") && n > len("appid") || suffixFold(name, "app_id") || suffixFold(name, "app-id") || name == "appID" || name == "appId" {
		return len(value) != 32 || !hexKey(value) // that of a service of data, not of a program
	}
	if uuidLike(value) && strings.IndexByte(name, '_') < 0 && (suffixFold(name, "ClientToken") || suffixFold(name, "RequestToken") || suffixFold(name, "IdempotencyToken")) {
		return true // it tells a request from its repetition
	}
	return n > 2 && strings.EqualFold(name[n-2:], "id") && (uuidLike(value) || openID(value)) && !strings.HasSuffix(strings.ReplaceAll(strings.ToLower(name), "_", ""), "secretid")
}

func suffixFold(name, end string) bool {
	return len(name) >= len(end) && strings.EqualFold(name[len(name)-len(end):], end)
}

// listedDigest reports whether a value is one of a list of digests, as files that
// lock the versions of packages hold them: the line above or below ends with another.
func (s *scanner) listedDigest(a assignment) bool {
	v := s.text[a.start:a.end]
	if len(v) != 40 && len(v) != 64 || !countKinds(v).hex || !s.lineEnd(a.end) {
		return false
	}
	start := lineStart(s.text, a.start, maxName)
	above := strings.TrimRight(s.text[max(0, start-maxName):start], "\r\n")
	below, _, _ := strings.Cut(s.text[min(len(s.text), a.end+1):min(len(s.text), a.end+maxName)], "\n")
	for _, line := range []string{above, strings.TrimRight(below, "\r")} {
		if other := line[strings.LastIndexByte(line, ' ')+1:]; len(other) == len(v) && other != v && countKinds(other).hex {
			name, ok := strings.CutSuffix(line[:len(line)-len(v)], ": ")
			return ok && keyStrength(strings.TrimLeft(name, " +-")) == notSecret
		}
	}
	return false
}

// storeKey reports whether a value goes on with the name of a thing in a store
// instead of being one: session:UUID of Redis.
func (s *scanner) storeKey(from int, a assignment) bool {
	if a.quoted || a.sep != colon {
		return false
	}
	v := s.text[a.start:a.end]
	if strings.Count(v, ":") > 1 && strings.Trim(v, "abcdefghijklmnopqrstuvwxyz0123456789:.-") == "" && a.start > 0 && s.text[a.start-1] == ':' && plainWords(v[:strings.IndexByte(v, ':')]) {
		return true
	}
	if name, id, ok := strings.Cut(v, ":"); ok && in(name, " sess session sessions ") {
		return uuidLike(id)
	}
	return uuidLike(v) && s.text[a.start-1] == ':' && (strings.HasSuffix(s.text[from:a.start], "session:") || strings.HasSuffix(s.text[from:a.start], "sess:"))
}

// openKey reports whether what stands before the lone word "key" or the path
// before a name says that all may see its value: "cache key", checksum/secret.
func (s *scanner) openKey(from int, words []string) bool {
	if s.resourceType(from) {
		return true
	}
	if from > 0 && s.text[from-1] == '/' {
		path, _ := nameAt(s.text, from-1)
		return openPath(s.text[path : from-1])
	}
	if len(words) != 1 || words[0] != "key" || from < 2 || s.text[from-1] != ' ' {
		return false
	}
	before, end := nameAt(s.text, from-1)
	return in(lowerASCII(s.text[before:end]), openKeys)
}

// resourceType reports whether a name is the last part of a type of resource,
// as the key of a member: "AWS::IAM::AccessKey".
func (s *scanner) resourceType(from int) bool {
	at := from
	for at > 0 && from-at < maxName && (wordByte(s.text[at-1]) || s.text[at-1] == ':') {
		at--
	}
	return at > 0 && s.text[at-1] == '"' && strings.Count(s.text[at:from], "::") > 1 && s.text[from] >= 'A' && s.text[from] <= 'Z' && s.text[from-1] == ':'
}

// openPath reports whether what stands before the slash of a name says that it
// is of a digest, as in the annotations of charts: checksum/secret.
func openPath(path string) bool { return path == "checksum" || path == "hash" }

// openKeys are kinds of keys that a sentence names without giving anything away.
const openKeys = " public pub primary foreign sort partition cache object index lookup search idempotency natural unique composite candidate duplicate row column peer crashreporter kernel "
