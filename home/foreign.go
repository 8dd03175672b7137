package home

import (
	"errors"

	"keepmum/safefile"
)

// Foreign lists what lies in the data directory and may be somebody else's: a directory that
// was open to others for a while can hold a token that they know, or a link in the place of
// a file that is written. None of it is used.
func (d Dir) Foreign() (found []*safefile.Foreign) {
	for _, path := range []string{
		d.Token(), d.CurlHeader(), d.HMACKey(), d.Port(), d.Socket(), d.Lock(), d.StartLock(), d.Spool(), d.Logs(), d.Log(),
		d.Database(), d.Database() + "-wal", d.Database() + "-shm", d.Backups(),
	} {
		var f *safefile.Foreign
		if errors.As(safefile.Own(path), &f) {
			found = append(found, f)
		}
	}
	return found
}
