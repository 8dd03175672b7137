package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"keepmum/api"
	"keepmum/capture"
	"keepmum/config"
	"keepmum/home"
	"keepmum/hooks"
	"keepmum/spool"
)

const (
	hookBudget = 2 * time.Second // of one hook, in all
	maxPayload = 10 << 20
)

func newHookCmd(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "hook AGENT", Short: "Take one hook event of an agent from standard input",
		DisableFlagParsing: true, // a flag that there is not must not hurt the agent that gives it
		Long: `Take one hook event of an agent (claude, codex, cursor, opencode) from standard
input, and print what the agent expects. Agents run this; it is always silent
and always ends with 0. With no daemon it keeps the event, cleaned, in a spool
and starts the daemon. MUM_HOOK=off switches it off.`,
		Example: "  mum hook claude < payload.json",
		RunE: func(cmd *cobra.Command, args []string) error {
			if asksForHelp(args) {
				return cmd.Help()
			}
			args = slices.DeleteFunc(args, func(arg string) bool { return strings.HasPrefix(arg, "-") })
			if a.getenv("MUM_HOOK") == "off" || len(args) == 0 { // whoever calls it wrongly is an agent too
				return nil
			}
			a.runHook(cmd.Context(), args[0])
			return nil
		},
	}
}

// asksForHelp reports whether a command that reads no flags is asked what it does.
func asksForHelp(args []string) bool {
	return slices.Contains(args, "--help") || slices.Contains(args, "-h")
}

// runHook never fails: the agent comes first. What goes wrong shows in `mum doctor`.
func (a *app) runHook(ctx context.Context, agent string) {
	defer func() { _ = recover() }() // a bug here must not break a session
	ctx, cancel := context.WithTimeout(ctx, hookBudget)
	defer cancel()
	payload, err := io.ReadAll(io.LimitReader(a.in, maxPayload+1))
	if err != nil || len(payload) > maxPayload {
		return
	}
	dir, c, err := a.load(nil)
	if err != nil {
		return
	}
	key := rand.Text()
	answer, err := postHook(ctx, dir, c, agent, key, payload)
	if err == nil {
		_, _ = a.out.Write(answer)
		return
	}
	if refused(err) {
		return
	}
	keys, err := home.Prepare(dir)
	if err != nil { // a damaged token or key must not cost the event: doctor names them
		keys.HMAC = home.SpoolKey(dir)
	}
	_, _ = spawn(dir)
	_ = spoolPayload(dir, capture.Options{Home: string(dir), Config: c.Config, Key: keys.HMAC, UserHome: a.userHome, Env: a.environ}, agent, key, payload)
}

// refused reports whether the daemon has read the event and will never take it.
// Every other failure is the daemon's, and the event waits in the spool for a better day.
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
	resp, err := client.SendWith(ctx, http.MethodPost, "/hooks/"+agent, bytes.NewReader(payload), http.Header{"X-Mum-Event": {key}})
	if err != nil {
		return nil, err
	}
	defer func() { _ = resp.Body.Close() }()
	return io.ReadAll(resp.Body)
}

// spoolPayload cleans the events of a payload with the same gate as the
// daemon's and leaves them for its next start.
func spoolPayload(dir home.Dir, o capture.Options, agent, key string, payload []byte) error {
	events, err := hooks.Decode(agent, payload)
	if err != nil {
		return err
	}
	intake, err := capture.NewIntake(o)
	if err != nil {
		return err
	}
	for i, e := range events {
		delivery := capture.Delivery(key, i)
		clean, skipped := intake.Take(capture.Incoming{Event: e, Key: delivery})
		if skipped != "" {
			continue
		}
		if err := spool.Dir(dir.Spool()).Put(clean, delivery, clean.At); err != nil {
			return err
		}
	}
	return nil
}
