package main

import "keepmum/home"

func checkDisk(home.Dir) finding {
	return finding{Check: "disk", State: stateOK, Detail: "not checked on Windows"}
}
