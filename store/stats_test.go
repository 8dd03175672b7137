package store

import (
	"maps"
	"testing"
)

// Jobs are counted as by a plain GROUP BY, whichever state most are in.
func TestJobsAreCountedByState(t *testing.T) {
	for name, states := range map[string][]JobState{
		"none":          nil,
		"one":           {JobDone},
		"most wait":     {JobPending, JobPending, JobDone, JobPending, JobDead},
		"the first are": {JobDone, JobDone, JobDone, JobPending, JobLeased},
		"the middle is": {JobDone, JobDone, JobQuarantined, JobPending, JobPending},
		"the last are":  {JobLeased, JobDead, JobPending, JobPending, JobPending, JobPending},
	} {
		t.Run(name, func(t *testing.T) {
			db := openTest(t)
			want := map[string]int64{}
			err := db.writer.do(t.Context(), func(tx *txState) error {
				for i, state := range states {
					want[string(state)]++
					if err := tx.exec(`INSERT INTO jobs (kind, project_id, session_id, turn_id, state, created, updated)
						VALUES ('turn', 1, 1, ?, ?, 0, 0)`, i, state); err != nil {
						return err
					}
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			got, err := db.Stats(t.Context())
			if err != nil || !maps.Equal(got.Jobs, want) {
				t.Errorf("%v, %v; want %v", got.Jobs, err, want)
			}
		})
	}
}
