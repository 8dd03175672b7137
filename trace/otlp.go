package trace

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"time"
)

// OTLP returns a run as one request of OTLP/HTTP in JSON: a span for the run, and one for each question to a model. It
// contains numbers, codes and names of models, but no text, no project names and no session ids.
func OTLP(lines [][]byte) ([]byte, error) {
	var all []Record
	for _, l := range lines {
		var r Record
		if err := json.Unmarshal(l, &r); err != nil {
			return nil, err
		}
		all = append(all, r)
	}
	if len(all) == 0 {
		return nil, nil
	}
	spans := []otlpSpan{runSpan(all)}
	for i, r := range all {
		if r.Kind == Call {
			spans = append(spans, callSpan(spans[0], r, i))
		}
	}
	type scope struct {
		Scope map[string]string `json:"scope"`
		Spans []otlpSpan        `json:"spans"`
	}
	type resource struct {
		Resource map[string][]otlpValue `json:"resource"`
		Scopes   []scope                `json:"scopeSpans"`
	}
	return json.Marshal(map[string][]resource{"resourceSpans": {{
		Resource: map[string][]otlpValue{"attributes": {word("service.name", "keepmum")}},
		Scopes:   []scope{{Scope: map[string]string{"name": "keepmum"}, Spans: spans}}}}})
}

// otlpSpan is a span in the protocol's JSON: ids in hex, 64-bit numbers as strings.
type otlpSpan struct {
	Trace  string         `json:"traceId"`
	ID     string         `json:"spanId"`
	Parent string         `json:"parentSpanId,omitempty"`
	Name   string         `json:"name"`
	Kind   int            `json:"kind"`
	Start  string         `json:"startTimeUnixNano"`
	End    string         `json:"endTimeUnixNano"`
	Values []otlpValue    `json:"attributes"`
	Status map[string]int `json:"status"`
}

type otlpValue struct {
	Key   string         `json:"key"`
	Value map[string]any `json:"value"`
}

func word(key, value string) otlpValue {
	return otlpValue{key, map[string]any{"stringValue": value}}
}

func whole(key string, n int) otlpValue {
	return otlpValue{key, map[string]any{"intValue": strconv.Itoa(n)}}
}

func number(key string, f float64) otlpValue {
	return otlpValue{key, map[string]any{"doubleValue": f}}
}

// Codes of the protocol.
const (
	spanInternal = 1
	spanClient   = 3
	statusOK     = 1
	statusError  = 2
)

const (
	traceBytes = 16
	spanBytes  = 8
)

// idOf derives an id of n bytes from names, in hex.
func idOf(n int, parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		_, _ = h.Write([]byte(p + "\n")) // never fails, according to its documentation
	}
	return hex.EncodeToString(h.Sum(nil)[:n])
}

// runSpan is the span of the run itself, with counts of what was done.
func runSpan(all []Record) otlpSpan {
	first, last := all[0], all[len(all)-1]
	s := otlpSpan{Trace: idOf(traceBytes, "run", first.Run), ID: idOf(spanBytes, "run", first.Run),
		Name: "mum." + first.Does, Kind: spanInternal, Start: nano(first.At), End: nano(last.At),
		Status: statusOf(last.Outcome != "failed" && last.Outcome != "partial")}
	s.Values = append(s.Values, word("mum.outcome", last.Outcome))
	counts := map[string]int{}
	for _, r := range all {
		switch r.Kind {
		case Session, Candidate, Step, Job, Passage:
			counts["mum."+r.Kind+"."+r.Action]++
		}
		if r.Kind == Candidate || r.Kind == Step {
			counts["mum."+r.Kind+"."+r.Action+"."+r.Reason]++
		}
	}
	for _, key := range slices.Sorted(maps.Keys(counts)) {
		s.Values = append(s.Values, whole(key, counts[key]))
	}
	return s
}

// callSpan is the span of one question, with the attribute names of the generative AI conventions.
func callSpan(run otlpSpan, r Record, n int) otlpSpan {
	s := otlpSpan{Trace: run.Trace, ID: idOf(spanBytes, run.ID, strconv.Itoa(n)), Parent: run.ID, Name: "chat " + r.Model,
		Kind: spanClient, Start: nano(r.At), End: nano(r.At.Add(time.Duration(r.Seconds * float64(time.Second)))),
		Status: statusOf(r.Outcome == "answered")}
	s.Values = []otlpValue{word("gen_ai.operation.name", "chat"), word("gen_ai.provider.name", r.Provider),
		word("gen_ai.request.model", r.Model), whole("gen_ai.usage.input_tokens", r.In),
		whole("gen_ai.usage.output_tokens", r.Out), word("mum.role", r.Role), word("mum.outcome", r.Outcome)}
	if r.Cost > 0 {
		s.Values = append(s.Values, number("mum.cost", r.Cost))
	}
	return s
}

func nano(at time.Time) string { return strconv.FormatInt(at.UnixNano(), 10) }

func statusOf(ok bool) map[string]int {
	if ok {
		return map[string]int{"code": statusOK}
	}
	return map[string]int{"code": statusError}
}
