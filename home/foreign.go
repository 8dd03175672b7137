package home

import (
	"errors"

	"keepmum/safefile"
)

// Foreign lists what lies in the data directory and may be somebody else's: a directory that
// was open to others for a while can hold a token that they know, or a link in the place of
// a file that is written. None of it is used, nor a pipe in the place of a file.
func (d Dir) Foreign() (found []*safefile.Foreign) {
	add := func(err error) {
		var f *safefile.Foreign
		if errors.As(err, &f) {
			found = append(found, f)
		}
	}
	for _, path := range []string{
		d.Token(), d.CurlHeader(), d.HMACKey(), d.Port(), d.Lock(), d.StartLock(), d.Log(),
		d.Database(), d.Database() + "-wal", d.Database() + "-shm",
	} {
		add(safefile.OwnFile(path))
	}
	for _, path := range []string{d.Socket(), d.Spool(), d.Logs(), d.Backups()} {
		add(safefile.Own(path))
	}
	return found
}
