package daemon

import (
	"context"

	"keepmum/llm"
	"keepmum/trace"
)

// maxReports limits how many reports can wait; further ones are dropped, because the trace has the same information.
const maxReports = 64

// report passes the record of a run to the sender, if there is one.
func (d *Daemon) report(_ string, lines [][]byte) {
	if d.o.Config.Runs.OTLP == "" {
		return
	}
	body, err := trace.OTLP(lines)
	if err != nil || len(body) == 0 {
		return
	}
	select {
	case d.reports <- body:
	default:
		d.log.Debug("the record of a run is dropped: too many are waiting")
	}
}

// reportOn sends records of runs to the collector that the user configured, until ctx ends. If the collector does not
// answer, nothing else is affected.
func (d *Daemon) reportOn(ctx context.Context) error {
	for {
		select {
		case <-ctx.Done():
			return nil
		case body := <-d.reports:
			c := d.o.Config
			if err := llm.Report(ctx, c.Runs.OTLP, c.Egress.AllowHosts, body, d.recordSending); err != nil && ctx.Err() == nil {
				d.log.Warn("the record of a run could not be sent (runs.otlp)", "error", d.loggable(err))
			}
		}
	}
}
