package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"keepmum/api"
	"keepmum/budget"
)

func newOpenCmd(a *app) *cobra.Command {
	var asJSON, only bool
	cmd := &cobra.Command{
		Use: "open", Aliases: []string{"page"}, Short: "Open the page: see what was kept, told and sent", Args: cobra.NoArgs,
		Long: `Open the page of this installation in the browser. It shows what was kept, told to agents
and sent to models, and lets you switch each off. The printed address works once, within
one minute; the browser then stays signed in for twelve hours. $BROWSER can name commands
that open an address, separated by colons; the default is the browser of the desktop.

Over ssh no browser is opened: run the printed line on your own machine, which forwards
the port, and open the address there.`,
		Example: "  mum open\n  mum open --print",
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.runOpen(cmd.Context(), only, asJSON) },
	}
	cmd.Flags().BoolVar(&only, "print", false, "print the address and the line for ssh, without opening a browser")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON, without opening a browser")
	return cmd
}

func (a *app) runOpen(ctx context.Context, only, asJSON bool) error {
	dir, c, err := a.loadToStart()
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
	if err := a.browse(code.URL); err != nil {
		a.printf("no browser could be started (%v): open that address yourself, within a minute\n"+
			"from another machine: mum open --print\n", err)
	}
	return nil
}

// forwarding says how a browser on another machine reaches this one. Over ssh, it knows the address at which that
// machine reaches this one.
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
	return fmt.Sprintf(`from another machine, run there:
  ssh -N -L %[1]s:%[2]s %[3]s
and open the address there; after a minute, mum open prints a new one.
If port %[1]s is in use there: -L 38742:%[2]s, and 38742 in the address.
`, u.Port(), u.Host, target)
}

// browse starts the first of the user's browsers that exists.
func (a *app) browse(address string) error {
	err := errors.New("none was found; set $BROWSER")
	for _, words := range a.browsers(address) {
		if err = startBrowser(words); err == nil {
			return nil
		}
	}
	return err
}

// browsers returns the commands that can show an address: those of $BROWSER, then the desktop's.
func (a *app) browsers(address string) (all [][]string) {
	for _, line := range filepath.SplitList(a.getenv("BROWSER")) {
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		if strings.Contains(line, "%s") {
			for i := range words {
				words[i] = strings.ReplaceAll(words[i], "%s", address)
			}
		} else {
			words = append(words, address)
		}
		all = append(all, words)
	}
	switch {
	case runtime.GOOS == "darwin":
		return append(all, []string{"open", address})
	case runtime.GOOS == "windows":
		return append(all, []string{"rundll32", "url.dll,FileProtocolHandler", address})
	}
	for _, desktop := range []string{"DISPLAY", "WAYLAND_DISPLAY", "WSL_DISTRO_NAME"} {
		if a.getenv(desktop) != "" { // without a desktop, a browser that nobody sees would use up the address
			return append(all, []string{"xdg-open", address})
		}
	}
	return all
}

// browserWait is how long a browser may take to report that it cannot start. A browser that shows the page keeps
// running, or passes the address to a running one and exits with 0.
const browserWait = 2 * time.Second

func startBrowser(words []string) error {
	cmd := exec.Command(words[0], words[1:]...)
	if err := cmd.Start(); err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case err := <-ended:
		if err != nil {
			err = fmt.Errorf("%s: %w", words[0], err)
		}
		return err
	case <-time.After(budget.Of(browserWait)):
		return nil
	}
}
