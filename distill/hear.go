package distill

import (
	"context"

	"keepmum/privacy"
	"keepmum/transcript"
)

// Hear reads a session so that the gate learns the secrets in it. It stores nothing.
func Hear(ctx context.Context, src transcript.Source, a *Admission) error {
	c := &compactor{a: a, dir: src.Dir, links: privacy.NewLinks(), key: a.Gate.ID, at: src.Modified}
	_, _, err := transcript.Read(ctx, src, transcript.Offset{}, func(e transcript.Entry) error {
		err := c.take(e)
		c.steps, c.taken, c.bytes = c.steps[:0], c.taken[:0], 0
		return err
	})
	return err
}
