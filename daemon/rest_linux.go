package daemon

import (
	"bufio"
	"fmt"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// releaseProgram unmaps the pages of the program file, two thirds of the memory of an idle daemon. The kernel maps a
// page again when it is used. Writable parts stay: their content is in no file.
func releaseProgram() error {
	exe, err := os.Readlink("/proc/self/exe")
	if err != nil {
		return err
	}
	maps, err := os.Open("/proc/self/maps")
	if err != nil {
		return err
	}
	defer func() { _ = maps.Close() }()
	lines := bufio.NewScanner(maps)
	for lines.Scan() {
		var from, to uintptr
		var mode string
		line := lines.Text()
		if _, err := fmt.Sscanf(line, "%x-%x %s", &from, &to, &mode); err != nil {
			return fmt.Errorf("read the memory map: %w", err)
		}
		if strings.HasSuffix(line, exe) && mode[1] == '-' && mode[3] == 'p' {
			if err := release(from, to-from); err != nil {
				return err
			}
		}
	}
	return lines.Err()
}

func release(from, size uintptr) error {
	if _, _, errno := unix.Syscall(unix.SYS_MADVISE, from, size, unix.MADV_DONTNEED); errno != 0 {
		return fmt.Errorf("release memory: %w", errno)
	}
	return nil
}
