package daemon

import (
	"errors"
	"net/http"

	"github.com/labstack/echo/v4"

	"keepmum/api"
	"keepmum/capture"
	"keepmum/privacy/verdict"
)

func (d *Daemon) getVerdicts(c echo.Context) error {
	said, err := d.intake.Said()
	if err != nil {
		return failure(api.Invalid, d.loggable(err), "mum redact --verdicts")
	}
	out := api.Verdicts{Verdicts: []api.Verdict{}}
	for _, v := range capture.Verdicts(said) {
		out.Verdicts = append(out.Verdicts, api.Verdict(v))
	}
	return c.JSON(http.StatusOK, out)
}

// postVerdict remembers what the user says of a value: its keyed hash, never the value.
func (d *Daemon) postVerdict(c echo.Context) error {
	var in api.Say
	if err := d.exactly(c, &in); err != nil {
		return err
	}
	said, err := d.intake.Say(in.Value, in.Secret)
	if err != nil {
		return failure(api.Invalid, d.loggable(err), "mum redact --help")
	}
	return c.JSON(http.StatusOK, api.Verdict(capture.Verdicts([]verdict.Said{said})[0]))
}

func (d *Daemon) postVerdictRemove(c echo.Context) error {
	var none struct{}
	if err := d.exactly(c, &none); err != nil {
		return err
	}
	err := d.intake.Unsay(c.Param("id"))
	if errors.Is(err, verdict.ErrNone) {
		return failure(api.NotFound, d.loggable(err), "mum redact --verdicts")
	}
	if err != nil {
		return err
	}
	return d.getVerdicts(c)
}
