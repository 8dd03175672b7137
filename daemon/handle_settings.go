package daemon

import (
	"net/http"
	"os"
	"reflect"
	"slices"

	"github.com/labstack/echo/v4"

	"keepmum/api"
	"keepmum/atomicfile"
	"keepmum/capture"
	"keepmum/config"
	"keepmum/privacy"
)

// Effect says when a change of the settings takes effect.
func Effect(running bool) string {
	if running {
		return "Takes effect after: mum restart"
	}
	return "Takes effect at the next start."
}

// getSettings returns the effective settings, with secrets (in an address, for example) redacted.
func (d *Daemon) getSettings(c echo.Context) error {
	next, err := config.Load(config.Options{Home: string(d.o.Home), Environ: d.o.Env})
	if err != nil {
		next = d.o.Config // `mum config check` reports what is wrong with the file
	}
	out := api.Settings{File: config.File(string(d.o.Home)), Settings: []api.Setting{}}
	st, err2 := os.Stat(out.File)
	changed, other := err2 == nil && st.ModTime().After(d.started), err != nil
	fresh, coming := keyed(config.Loaded{Config: config.Default()}), keyed(next)
	for _, kv := range d.o.Config.Keys() {
		s := api.Setting{Key: kv.Key, Value: kv.Value, Text: d.loggableText(config.Written(kv.Value)), Origin: kv.Origin,
			Default: config.Written(fresh[kv.Key]), About: config.About(kv.Key), Choices: config.Choices(kv.Key)}
		s.Fixed = slices.Contains([]string{"environment", "flags"}, kv.Origin)
		_, s.List = kv.Value.([]string)
		if text := d.loggableText(config.Written(coming[kv.Key])); text != s.Text && !s.Fixed {
			s.Next = text
		}
		other = other || !s.Fixed && !reflect.DeepEqual(coming[kv.Key], kv.Value)
		if _, patterns := kv.Value.([]config.Pattern); patterns {
			s.Fixed = true // structured values can only be edited in the file
		}
		s.Value = s.Text
		out.Settings = append(out.Settings, s)
	}
	out.Restart = changed && other
	return c.JSON(http.StatusOK, out)
}

func keyed(l config.Loaded) map[string]any {
	out := map[string]any{}
	for _, kv := range l.Keys() {
		out[kv.Key] = kv.Value
	}
	return out
}

// loggableText returns s with secrets redacted.
func (d *Daemon) loggableText(s string) string {
	c, _ := d.intake.Gate().Text(s)
	return c.String()
}

func (d *Daemon) postSetting(c echo.Context) error {
	var in api.SettingChange
	if err := d.exactly(c, &in); err != nil {
		return err
	}
	e, err := config.Set(config.Options{Home: string(d.o.Home), Environ: d.o.Env}, in.Key, in.Value, in.Unset)
	if err == nil {
		err = capture.CheckSettings(e.Loaded.Config, d.o.UserHome)
	}
	if err != nil {
		return failure(api.Invalid, d.loggable(err), "mum config show --origin")
	}
	if err := atomicfile.Write(e.Path, e.Text, 0o600); err != nil {
		return err
	}
	return c.JSON(http.StatusOK, api.SettingChanged{Key: in.Key, Value: d.loggableText(e.Now),
		Before: d.loggableText(e.Before),
		File:   e.Path, Effect: Effect(true)})
}

// postRedact shows what the gate would keep of a text. The text is not stored.
func (d *Daemon) postRedact(c echo.Context) error {
	var in api.Redact
	if err := d.exactly(c, &in); err != nil {
		return err
	}
	why, err := d.intake.Gate().Why(in.Text)
	if err != nil {
		return err
	}
	kept, _ := d.intake.Gate().Text(in.Text)
	out := api.Redacted{Text: kept.String(), Reasons: []api.Reason{}}
	for _, r := range why.Reasons {
		out.Reasons = append(out.Reasons, api.Reason{From: r.From, To: r.To, Rule: r.Rule, Word: r.Word, Looks: r.Looks,
			Again: r.Again, Sure: !privacy.MayBeWrong(r.Rule), Judged: judgement(r.Judged)})
	}
	if k := why.Nearest; k != nil {
		out.Nearest = &api.Reason{From: k.From, To: k.To, Judged: judgement(&k.Judgement)}
	}
	return c.JSON(http.StatusOK, out)
}

func judgement(j *privacy.Judgement) *api.Judgement {
	if j == nil {
		return nil
	}
	out := api.Judgement{Score: j.Score, Threshold: j.Threshold, RuledOut: j.RuledOut, Decided: []api.Contribution{}}
	for _, c := range j.Decided {
		out.Decided = append(out.Decided, api.Contribution(c))
	}
	return &out
}

func (d *Daemon) getDoctor(c echo.Context) error {
	out := []api.Check{}
	if d.o.Examine != nil {
		out = append(out, d.o.Examine(c.Request().Context())...)
	}
	for i := range out {
		out[i].Detail, out[i].Fix = d.loggableText(out[i].Detail), d.loggableText(out[i].Fix)
	}
	return c.JSON(http.StatusOK, api.Checks{Checks: out})
}

func (d *Daemon) postDoctor(c echo.Context) error {
	var none struct{}
	if err := d.exactly(c, &none); err != nil {
		return err
	}
	if d.o.Mend == nil {
		return failure(api.Unavailable, "there is no doctor here", "mum doctor")
	}
	done, err := d.o.Mend(c.Request().Context(), c.Param("check"))
	if err != nil {
		return failure(api.Invalid, d.loggable(err), "mum doctor")
	}
	done.Detail = d.loggableText(done.Detail)
	return c.JSON(http.StatusOK, done)
}
