package page

import "keepmum/api"

// backup copies the database now.
func (v *visit) backup() error {
	var out api.Backup
	if err := v.post("/backup", struct{}{}, &out); err != nil {
		return err
	}
	return v.back("Copied " + plural(out.Documents, "entry", "entries") + " in " + size(out.Bytes) +
		"; the copy was checked.")
}
