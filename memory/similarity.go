package memory

// Similarity says in [0,1] how far two memories say the same.
func Similarity(a, b Memory) float64 { return 0 }

// Contradict reports whether two memories answer the same question differently.
func Contradict(a, b Memory) bool { return false }
