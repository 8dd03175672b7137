package denylist

import (
	"fmt"
	"os"
	"strings"

	"keepmum/privacy/patience"
	"keepmum/privacy/shell"
)

// settle decides about denied files that commands were given: the output is kept if everything that it could show of
// them can be taken out.
func (i *Inspection) settle(s *shell.Reading) {
	done := map[string]bool{}
	for _, u := range s.Uses {
		key := fmt.Sprint(len(u.Dirs), u.Handed, u.Name)
		if u.Handed == shell.Shown || done[key] || !i.denies(u) {
			continue
		}
		done[key] = true
		i.Verdict.Written = i.Verdict.Written || u.Handed == shell.AsWritten
		loud := u.Handed == shell.AsEnvironment && (s.Loud || i.Verdict.Output != shell.Keep)
		if i.Verdict.Denied == "" && u.Handed != shell.AsKey && (loud || !i.event.Stored && !i.takeValues(u)) {
			i.deny(plainlyNamed(u.Name))
		}
	}
}

const maxHanded = 64 << 10 // bytes of a file whose values can be read

// takeValues reads a file that was given to a command, in each place where the script may have found it. It reports
// whether all of its values are known now: not if the script may have found it in still another place.
func (i *Inspection) takeValues(u shell.Use) bool {
	if i.d.values == nil || strings.ContainsAny(u.Name, "*?[{"+shell.Unknown) || len(u.Dirs) >= shell.ManyDirs {
		return false
	}
	found := false
	for _, dir := range u.Dirs {
		full := shell.Path(dir, plainName(u.Name), i.d.home)
		if !onThisMachine(full) {
			return false
		}
		var text string
		var exists, whole bool
		if !i.d.fs.Try(func() {
			info, err := os.Stat(full)
			if exists = err == nil; exists {
				whole = info.Mode().IsRegular() && info.Size() <= maxHanded
				text = patience.ReadStart(full, maxHanded)
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
		i.Taken = append(i.Taken, values...)
		i.Learned = append(i.Learned, learned...)
	}
	return found
}
