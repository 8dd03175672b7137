package daemon

import (
	"context"

	"keepmum/llm"
	"keepmum/trace"
)

// manyReports wait to be sent; more are not sent: what a run did is in its trace.
const manyReports = 64

// report hands what a run did to whoever sends it, if anybody does.
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
		d.log.Debug("a report is not sent: too many wait")
	}
}

// reportOn sends what runs did to the collector that the user named, until ctx ends. A
// collector that does not answer is no problem of anybody's work.
func (d *Daemon) reportOn(ctx context.Context) error {
	for {
		select {
		case <-ctx.Done():
			return nil
		case body := <-d.reports:
			c := d.o.Config
			if err := llm.Report(ctx, c.Runs.OTLP, c.Egress.AllowHosts, body, d.recordSending); err != nil && ctx.Err() == nil {
				d.log.Warn("what a run did is not sent (runs.otlp)", "error", d.loggable(err))
			}
		}
	}
}
