package connect

import (
	"strings"
	"testing"

	"keepmum/hooks"
)

// A command of the user that runs mum among other things, or only names it, is the user's.
func TestOnlyACommandThatRunsNothingElseIsOurs(t *testing.T) {
	for line, want := range map[string]string{
		"/opt/bin/mum hook claude":                               "/opt/bin/mum",
		"'/opt/it'\\''s mine/mum' hook codex":                    "/opt/it's mine/mum",
		"/usr/bin/env MUM_HOME=/data '/a b/mum-hook' cursor":     "/a b/mum-hook",
		"MUM_HOME='/my data' mum hook claude":                    "mum",
		`& "C:\a b\mum-hook.exe" "--home=C:\x y" codex`:          `C:\a b\mum-hook.exe`,
		"'/home/u/.mum/hooks/mum-hook.sh' claude":                "/home/u/.mum/hooks/mum-hook.sh",
		"tee -a ~/log | mum hook claude":                         "",
		"mum hook claude; say done":                              "",
		"sh -c 'mum hook claude && say done'":                    "",
		"/home/u/bin/notify --after 'mum hook claude'":           "",
		"logger mum hook claude":                                 "",
		"mum hook claude extra":                                  "",
		"/opt/bin/mum context":                                   "",
		"mum-hook other":                                         "",
		"":                                                       "",
		"MUM_HOME=/data":                                         "",
		"/home/u/.mum/hooks/mum-hook.sh claude && rm -f /tmp/x ": "",
	} {
		if got := ourProgram(words(line)); got != want {
			t.Errorf("%s: got %q, want %q", line, got, want)
		}
	}
}

func TestAHandlerOfTheUserThatMentionsOursStays(t *testing.T) {
	for _, agent := range []string{hooks.Claude, hooks.Codex, hooks.Cursor} {
		o := machine(t)
		const command = "tee -a ~/log | mum hook claude"
		target, err := o.hookTarget(agent)
		if err != nil {
			t.Fatal(err)
		}
		file := target.path
		before := `{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "` + command + `"}]}]}}`
		if agent == hooks.Cursor {
			before = `{"hooks": {"stop": [{"command": "` + command + `"}]}}`
		}
		put(t, file, before)
		mustConnect(t, o, agent)
		put(t, file, get(t, file)+"\n") // so that the file must be edited, not restored
		mustDisconnect(t, o, agent)
		if got := get(t, file); !strings.Contains(got, command) || strings.Contains(got, "/opt/bin") {
			t.Errorf("%s: %s", agent, got)
		}
	}
}
