package daemon

import "testing"

func TestMetricsAreToldAsPrometheusReadsThem(t *testing.T) {
	e := &exposition{}
	e.add(gauge, "mum_jobs", "Units.", 2, "state", "pending")
	e.add(gauge, "mum_jobs", "Units.", 1, "state", "a \"quoted\\\n one")
	h := newHistogram("mum_seconds", "Time.", 0.5, 2)
	for _, v := range []float64{0.5, 0.75, 8} {
		h.observe(v)
	}
	h.tell(e)
	const want = `# HELP mum_jobs Units.
# TYPE mum_jobs gauge
mum_jobs{state="a \"quoted\\\n one"} 1
mum_jobs{state="pending"} 2
# HELP mum_seconds Time.
# TYPE mum_seconds histogram
mum_seconds_bucket{le="0.5"} 1
mum_seconds_bucket{le="1"} 2
mum_seconds_bucket{le="+Inf"} 3
mum_seconds_sum 9.25
mum_seconds_count 3
`
	if got := string(e.text()); got != want {
		t.Errorf("got\n%s", got)
	}
}
