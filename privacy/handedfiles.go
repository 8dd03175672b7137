package privacy

import (
	"os"
	"strings"
)

// settle decides on the denied files that commands were handed: the output is
// kept where all that it could show of them can be taken out.
func (i *inspection) settle(s *reading) {
	for _, u := range i.handed {
		i.verdict.written = i.verdict.written || u.handed == asWritten
		loud := u.handed == asEnvironment && (s.loud || i.verdict.output != keepOutput)
		if i.verdict.denied == "" && u.handed != asKey && (loud || !i.event.Stored && !i.takeValues(u)) {
			i.deny(plainlyNamed(u.name))
		}
	}
}

const maxHanded = 64 << 10 // bytes of a file whose values can be known

// takeValues reads a handed file, wherever the script may have found it. It
// reports whether all of its values are known now.
func (i *inspection) takeValues(u fileUse) bool {
	if i.d.values == nil || strings.ContainsAny(u.name, "*?[{"+unknownPart) || len(u.dirs) >= 8 {
		return false
	}
	found := false
	for _, dir := range u.dirs {
		full := joinPath(dir, plainName(u.name), i.d.home)
		if !onThisMachine(full) {
			return false
		}
		var text string
		var exists, whole bool
		if !i.d.fs.try(func() {
			info, err := os.Stat(full)
			if exists = err == nil; exists {
				whole = info.Mode().IsRegular() && info.Size() <= maxHanded
				text = readStart(full, maxHanded)
			}
		}) {
			return false
		}
		if !exists {
			continue
		}
		values, learned, all := i.d.values(text)
		if !whole || !all {
			return false
		}
		found = true
		i.taken = append(i.taken, values...)
		i.learned = append(i.learned, learned...)
	}
	return found
}
