package main

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"keepmum/api"
	"keepmum/budget"
	"keepmum/config"
	"keepmum/home"
	"keepmum/hooks"
)

const maxPayload = 10 << 20

func newHookCmd(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "hook AGENT", Short: "Pass one hook event of an agent to the daemon",
		DisableFlagParsing: true, // an unknown flag must not hurt the agent that passes it
		Long: `Read one hook event of an agent (claude, codex, cursor, opencode) from standard input,
and print what the agent expects. Agents run this. It prints no errors and always exits
with 0, within two seconds even if something hangs. If no daemon answers (a prompt waits
0.65 s for it, other events 0.27 s), it cleans the event, puts it into a spool and starts
the daemon. An event that cannot be cleaned in time is kept without its content. It waits
one second for the end of standard input; an event that did not arrive by then is counted as
lost. MUM_HOOK=off switches it off.`,
		Example: "  mum hook claude < payload.json",
		RunE: func(cmd *cobra.Command, args []string) error {
			if asksForHelp(args) {
				return cmd.Help()
			}
			before := handed(args)
			args = slices.DeleteFunc(args, func(arg string) bool { return strings.HasPrefix(arg, "-") })
			if a.getenv("MUM_HOOK") == "off" || len(args) == 0 { // a wrong call also comes from an agent
				return nil
			}
			signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) // a reader that has gone does not end it
			a.runHook(cmd.Context(), args[0], before)
			return nil
		},
	}
}

// asksForHelp reports whether the arguments of a command that parses no flags ask for help.
func asksForHelp(args []string) bool {
	return slices.Contains(args, "--help") || slices.Contains(args, "-h")
}

// attempt is what mum-hook did with a payload before it passed it on.
type attempt struct {
	key        string // of the delivery
	unanswered bool   // the daemon was asked, and did not answer
	cut        bool   // the payload is incomplete
	tooLarge   bool   // nobody counted a payload that is too large
}

func handed(args []string) (a attempt) {
	for _, arg := range args {
		if key, ok := strings.CutPrefix(arg, "--key="); ok {
			a.key = key
		}
		a.unanswered = a.unanswered || arg == "--unanswered"
		a.cut = a.cut || arg == "--cut"
		a.tooLarge = a.tooLarge || arg == "--too-large"
	}
	a.key = cmp.Or(a.key, rand.Text())
	return a
}

// runHook never fails: the agent comes first. `mum doctor` shows what goes wrong.
func (a *app) runHook(ctx context.Context, agent string, before attempt) {
	dir, err := a.home()
	if err != nil {
		return
	}
	if info, err := os.Stat(string(dir)); err == nil && os.Geteuid() != 0 {
		if _, ours := ownedByUs(info); !ours { // its owner could replace whatever is written there
			return
		}
		if info.IsDir() && info.Mode().Perm()&0o100 == 0 { // a start would do it too, but the settings are read before
			_ = os.Chmod(string(dir), 0o700)
		}
	}
	h := newDelivery(dir, agent, before.key)
	h.unanswered, h.cut = before.unanswered, before.cut
	h.heard.Store(before.cut || before.tooLarge)
	h.o.UserHome, h.o.Env = a.userHome, a.environ
	if before.tooLarge {
		h.giveUp()
		_, _ = spawn(dir)
		return
	}
	h.run(func() { a.deliver(ctx, h) })
}

// deliver passes the event to the daemon, or to the spool if no daemon answers.
func (a *app) deliver(ctx context.Context, h *delivery) {
	payload := h.read(a.in)
	if h.cut && !json.Valid(payload) {
		h.giveUp()
		return
	}
	if len(payload) <= maxPayload { // the daemon reports that a longer one is too long
		h.decode(payload)
	}
	_, c, err := a.load(nil)
	broken := err != nil
	if broken {
		c = config.Loaded{Config: config.Default()}
	}
	h.o.Config = c.Config
	h.misset.Store(broken)
	h.ready.Store(true)
	err = a.askRunning(ctx, h, c, payload)
	if err == nil || broken { // with broken settings nobody knows what they protect: it is stored without its content
		return
	}
	if len(h.events) == 0 { // too large or malformed: the daemon would refuse and count it
		h.giveUp()
	} else {
		h.spoolWhole(ctx)
	}
	_, failed := spawn(h.dir)
	down := failed == nil && errors.Is(err, api.ErrDown) // and a daemon is being started
	if h.kind == hooks.Prompt && down && !h.unanswered && len(payload) <= maxPayload {
		a.askStarting(ctx, h, c, payload)
	}
}

// askRunning passes the event to a running daemon, which has the settings of its start. It returns an error if the
// event must be stored in another way.
func (a *app) askRunning(ctx context.Context, h *delivery, c config.Loaded, payload []byte) error {
	answer, err := h.post(ctx, c, payload)
	if err == nil && h.claim() {
		_, _ = a.out.Write(answer)
	}
	if err == nil || refused(err) {
		h.settled()
		return nil
	}
	return err
}

// startTime is how long a prompt waits for a starting daemon, which takes 60 ms to answer.
const startTime = 300 * time.Millisecond

// askStarting asks a starting daemon what to tell the agent at a prompt. The event is already in the spool; its key
// prevents a second copy.
func (a *app) askStarting(ctx context.Context, h *delivery, c config.Loaded, payload []byte) {
	for last := time.Now().Add(budget.Of(startTime)); time.Now().Before(last); time.Sleep(10 * time.Millisecond) {
		answer, err := h.post(ctx, c, payload)
		if err == nil {
			_, _ = a.out.Write(answer)
		}
		if !errors.Is(err, api.ErrDown) {
			return
		}
	}
}

// refused reports whether the daemon has read the event and will never accept it. Any other failure is the daemon's
// own, and the event waits in the spool.
func refused(err error) bool {
	var e *api.Error
	if !errors.As(err, &e) {
		return false
	}
	switch e.Code {
	case api.Invalid, api.TooLarge, api.NotFound, api.Forbidden:
		return true
	default:
		return false
	}
}

func postHook(ctx context.Context, dir home.Dir, c config.Loaded, agent, key string, payload []byte) ([]byte, error) {
	client := api.NewClient(string(dir), c.Daemon.Socket)
	resp, err := client.SendWith(ctx, http.MethodPost, "/hooks/"+agent, bytes.NewReader(payload),
		http.Header{"X-Mum-Event": {key}})
	if err != nil {
		return nil, err
	}
	defer func() { _ = resp.Body.Close() }()
	return io.ReadAll(resp.Body)
}
