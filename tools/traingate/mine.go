package main

// mined adds what a first fit nearly takes out of more ordinary text: the rest of such text would teach nothing new.
func (t *trainer) mined() error {
	m := t.fit("")
	for _, x := range t.unmined {
		t.origin = t.source(x.Source)
		from := len(t.examples)
		t.look("", -1, x, 1)
		kept := t.examples[:from]
		for _, e := range t.examples[from:] {
			if m.of(&e) > nearlyTaken {
				kept = append(kept, e)
			}
		}
		t.examples = kept
	}
	t.unmined = nil
	return nil
}
