//go:build unix

package pgtest

import (
	"os"
	"os/exec"
	"syscall"
)

// nobody is a user without rights, because PostgreSQL refuses to run as root.
const nobody = 65534

func unprivileged(dir string) error {
	if os.Geteuid() != 0 {
		return nil
	}
	return os.Chown(dir, nobody, nobody)
}

func asNobody(cmd *exec.Cmd) {
	if os.Geteuid() == 0 {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	}
}
