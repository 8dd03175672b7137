package daemon

import (
	"context"

	"keepmum/api"
	"keepmum/home"
)

// Look returns a client for a data directory that cannot be written to, where no daemon can run. This process answers
// the requests until it ends; what would write is refused.
func Look(ctx context.Context, o Options) (*api.Client, error) {
	o.readOnly = true
	d := New(o)
	keys, err := home.Read(o.Home)
	if err != nil {
		return nil, err
	}
	d.token, d.started, d.stopping = keys.Token, d.o.Now(), ctx.Done()
	if err := d.open(ctx, keys); err != nil {
		return nil, err
	}
	d.logged.use(d.intake.Gate())
	d.worker, d.team = d.newWorker(), d.newTeam()
	return api.NewLocalClient(d.token, within{d.routes()}), nil
}
