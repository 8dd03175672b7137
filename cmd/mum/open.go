package main

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"os/exec"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"keepmum/api"
)

func newOpenCmd(a *app) *cobra.Command {
	var asJSON, only bool
	cmd := &cobra.Command{
		Use: "open", Aliases: []string{"page"}, Short: "Open the page: see what was kept, told and sent", Args: cobra.NoArgs,
		Long: `Open the page of this installation in the browser: what was kept, told to agents and
sent to models, with switches for all of it. The address that is printed opens it once,
within a minute; the browser that was let in may look for twelve hours.

Over ssh nothing is opened: type the line that is printed on your own machine, which
forwards the port, and open the address there.`,
		Example: "  mum open\n  mum open --print",
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.runOpen(cmd.Context(), only, asJSON) },
	}
	cmd.Flags().BoolVar(&only, "print", false, "print the address and the line for ssh, open nothing")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON, open nothing")
	return cmd
}

func (a *app) runOpen(ctx context.Context, only, asJSON bool) error {
	dir, c, err := a.load(nil)
	if err != nil {
		return err
	}
	if _, err := bringUp(ctx, dir, c); err != nil {
		return err
	}
	var code api.PageCode
	if err := api.NewClient(string(dir), c.Daemon.Socket).Post(ctx, "/page/code", struct{}{}, &code); err != nil {
		return err
	}
	if asJSON {
		return a.printJSON(code)
	}
	a.printf("%s\n", code.URL)
	away := a.getenv("SSH_CONNECTION") != ""
	if only || away {
		u, err := url.Parse(code.URL)
		if err != nil {
			return err
		}
		a.printf("%s", a.forwarding(u))
		return nil
	}
	if err := browse(code.URL); err != nil {
		a.printf("no browser could be started (%v): open that address yourself, within a minute\n", err)
	}
	return nil
}

// forwarding says how a browser on another machine gets here. Over ssh it is known by which
// address that machine reaches this one.
func (a *app) forwarding(u *url.URL) string {
	target := "THIS-MACHINE"
	if parts := strings.Fields(a.getenv("SSH_CONNECTION")); len(parts) == 4 { // client, its port, server, its port
		target = parts[2]
		if user := cmp.Or(a.getenv("USER"), a.getenv("LOGNAME")); user != "" {
			target = user + "@" + target
		}
		if parts[3] != "22" {
			target = "-p " + parts[3] + " " + target
		}
	}
	return fmt.Sprintf(`from another machine, type there:
  ssh -N -L %[1]s:%[2]s %[3]s
and open the address there; after a minute, mum open prints a new one.
If port %[1]s is taken there: -L 38742:%[2]s, and 38742 in the address.
`, u.Port(), u.Host, target)
}

// browse starts the user's browser and does not wait for it.
func browse(address string) error {
	name, args := "xdg-open", []string{address}
	switch runtime.GOOS {
	case "darwin":
		name = "open"
	case "windows":
		name, args = "rundll32", []string{"url.dll,FileProtocolHandler", address}
	}
	cmd := exec.Command(name, args...)
	if err := cmd.Start(); err != nil {
		return err
	}
	return cmd.Process.Release()
}
