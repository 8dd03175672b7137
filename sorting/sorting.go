// Package sorting sorts short lists.
//
// The functions of package slices are compiled anew for each type of element, with 6 KB of code for each. Those here
// share theirs; for lists of a few hundred elements they are as fast.
package sorting

import (
	"iter"
	"slices"
	"sort"
)

// Stable sorts a list like [slices.SortStableFunc].
func Stable[T any](list []T, compare func(a, b T) int) { sort.Stable(by[T]{list, compare}) }

// Sorted collects the values of an iterator and sorts them like [slices.SortedStableFunc].
func Sorted[T any](values iter.Seq[T], compare func(a, b T) int) []T {
	list := slices.Collect(values)
	Stable(list, compare)
	return list
}

type by[T any] struct {
	list    []T
	compare func(a, b T) int
}

func (s by[T]) Len() int           { return len(s.list) }
func (s by[T]) Less(i, j int) bool { return s.compare(s.list[i], s.list[j]) < 0 }
func (s by[T]) Swap(i, j int)      { s.list[i], s.list[j] = s.list[j], s.list[i] }
