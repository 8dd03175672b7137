package shell

import (
	"slices"
	"strings"
	"testing"
)

func TestAVariableIsAlteredAsTheShellWould(t *testing.T) {
	for script, want := range map[string]string{
		"f=.env.bak; cat ${f%.bak}": ".env", "f=.env.a.b; cat ${f%%.[a-z].*}": ".env", "f=.env.a.b; cat ${f%.*}": ".env.a",
		"f=conf/.env; cat ${f##*/}": ".env", "f=a/b/.env; cat ${f#*/}": "b/.env", "f=a/b/c; cat ${f%/*}/.env": "a/b/.env",
		"f=xenv; cat ${f/x/.}": ".env", "f=.xexnxv; cat ${f//x}": ".env", "f=.env.old; cat ${f/%.old/}": ".env",
		"f=xx.env; cat ${f/#x*x/}": ".env", "f=.e--v; cat ${f/-*-/n}": ".env", "x=.bak; f=.env.bak; cat ${f%$x}": ".env",
		"f=a.env; cat ${f:1}": ".env", "f=a.envb; cat ${f:1:4}": ".env", "f=a.env; cat ${f: -4}": ".env",
		"f=a.envb; cat ${f:1:-1}": ".env",
		"f=a.env; cat ${f:1:99}":  ".env", "f=a.env; cat ${f:1:$n}": ".env", "f=.env; cat ${f:$n:4}": ".env",
		"f=.env; cat ${f: -99}": ".env", "f=.envxx; cat ${f/x*/}": ".env", "f=.enxx; cat ${f/xx/v}": ".env",
		"f=.env; cat ${f/#y/z}": ".env", "f=.env; cat ${f/%y/z}": ".env", "f=x.env; cat ${f/#x/}": ".env",
		"f=.env; cat ${f/[}": ".env", "f=a; f=.env.b; cat ${f%.b}": ".env",
		"f=.env.x; cat ${f:0:-2}": ".env", "f=é.env; cat ${f#é}": ".env", `f=.env.bak; cat "${f%.bak}"`: ".env",
	} {
		if r := Read(script, "/src", ""); !slices.Contains(names(r, false), want) {
			t.Errorf("%s: %q, want %s", script, names(r, false), want)
		}
	}
	for _, script := range []string{"f=.env.bak; cat ${f%.old}", "f=xenv; cat ${f/y/.}", "cat ${f%.bak}",
		"f=a.env; cat ${#f}", "f=.env.b; cat ${!f%.b}", "f=a.env; cat ${f:2:99}", "f=a.env; cat ${f:1:3}",
		"f=.env; cat ${f:0:3}x",
		"f=a.env; cat ${f:9}", "f=a.env; cat ${f:$n:x}", "f=a.env; cat ${f:0:-9}", "f=; cat ${f/x/.}",
		"f=.enx; cat ${f//[}"} {
		if r := Read(script, "/src", ""); slices.Contains(names(r, false), ".env") {
			t.Errorf("%s: %q", script, names(r, false))
		}
	}
}

func TestALongValueIsNotAlteredSoThatTimeStaysBounded(t *testing.T) {
	for length, want := range map[int]bool{maxAltered: true, maxAltered + 1: false} {
		kept := strings.Repeat("a", length-len(".bak"))
		if got := slices.Contains(names(Read("f="+kept+".bak; cat ${f%.bak}", "/src", ""), false), kept); got != want {
			t.Errorf("%d bytes are altered: %v", length, got)
		}
	}
}
