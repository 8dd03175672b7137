package config

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/knadh/koanf/v2"
)

// flatten returns every key of c with its value.
func flatten(c Config) map[string]any {
	out := map[string]any{}
	flattenInto(out, "", reflect.ValueOf(c))
	return out
}

func flattenInto(out map[string]any, section string, fields reflect.Value) {
	for i := range fields.NumField() {
		key := section + fields.Type().Field(i).Tag.Get("koanf")
		if fields.Field(i).Kind() == reflect.Struct {
			flattenInto(out, key+".", fields.Field(i))
			continue
		}
		value := fields.Field(i)
		if value.Kind() == reflect.Slice && value.IsNil() { // encode as [] in JSON
			value = reflect.MakeSlice(value.Type(), 0, 0)
		}
		out[key] = value.Interface()
	}
}

// defaults returns the default of every setting; a repository may ask for two thousand.
var defaults = sync.OnceValue(func() map[string]any { return flatten(Default()) })

// spellings maps alternative names of settings to the canonical ones.
func spellings() map[string]string {
	return map[string]string{
		"memory.decay.decay_days":               "memory.decay.decay_period_days",
		"memory.decay.min_confidence_floor":     "memory.decay.confidence_floor",
		"memory.decay.recent_access_grace_days": "memory.decay.grace_period_days",
	}
}

// respell replaces alternative names of settings with the canonical ones. A setting that is given under both is an
// error, because it is unclear which value applies.
func respell(k *koanf.Koanf) error {
	for other, name := range spellings() {
		switch {
		case !k.Exists(other):
			continue
		case k.Exists(name):
			return fmt.Errorf("%s and %s are the same setting: keep one of them", other, name)
		}
		if err := k.Set(name, k.Get(other)); err != nil {
			return err
		}
		k.Delete(other)
	}
	return nil
}

// knownKeys rejects an unknown key. If a misspelt privacy setting were ignored silently, the user would be less
// protected than intended.
func knownKeys(k *koanf.Koanf, where lines) error {
	known := flatten(Default())
	var wrong []string
	for _, key := range k.Keys() {
		if _, ok := known[key]; ok || emptySection(k.Get(key), key, known) {
			continue
		}
		then := ": `mum config show` lists them"
		if near := nearest(key, known); near != "" {
			then = fmt.Sprintf(": did you mean %q?", near)
		}
		wrong = append(wrong, fmt.Sprintf("%sthere is no setting %q%s", where.at(key), key, then))
	}
	if len(wrong) == 0 {
		return nil
	}
	return errors.New(strings.Join(wrong, "; "))
}

// emptySection reports whether a key is the header of a section without settings.
func emptySection(value any, key string, known map[string]any) bool {
	if inside, ok := value.(map[string]any); !ok || len(inside) > 0 {
		return false
	}
	for name := range known {
		if strings.HasPrefix(name, key+".") {
			return true
		}
	}
	return false
}

func nearest(key string, known map[string]any) string {
	name := key[strings.LastIndexByte(key, '.')+1:]
	best, at := "", 1+min(3, max(1, len(name)/2)) // a larger distance means a different word
	for k := range known {
		if d := editDistance(key, k); d < at || d == at && best != "" && k < best {
			best, at = k, d
		}
	}
	return best
}

// editDistance returns the Levenshtein distance, using one row of memory.
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost = 1 + slices.Min([]int{diagonal, row[j], row[j+1]})
			}
			diagonal, row[j+1] = row[j+1], cost
		}
	}
	return row[len(b)]
}
