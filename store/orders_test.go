package store

import (
	"testing"
)

// A prompt gains from those around it. That includes one added after a search has read the session, and no longer one
// that was forgotten.
func TestTheOrderOfASessionIsThatOfNow(t *testing.T) {
	db := openTest(t)
	first := put(t, db, "p", "s", "the harbour gate stands open")
	order := func() []int64 {
		t.Helper()
		if _, err := db.Search(t.Context(), Query{Text: "harbour gate"}); err != nil {
			t.Fatal(err)
		}
		known, missing := db.orders.get([]int64{1})
		if len(missing) > 0 {
			t.Fatal("the order is not kept: the test looks at nothing")
		}
		return known[1]
	}
	if got := order(); len(got) != 1 || got[0] != first {
		t.Fatalf("the order is %v", got)
	}
	second := put(t, db, "p", "s", "who closes the harbour gate at night")
	if got := order(); len(got) != 2 || got[1] != second {
		t.Errorf("after a second prompt the order is %v", got)
	}
	plan, err := db.PlanForget(t.Context(), Selection{IDs: []int64{second}})
	if err == nil {
		err = db.Forget(t.Context(), plan)
	}
	if err != nil {
		t.Fatal(err)
	}
	if got := order(); len(got) != 1 || got[0] != first {
		t.Errorf("after the second was forgotten the order is %v", got)
	}
}

func TestAnOrderReadBeforeAChangeIsNotKept(t *testing.T) {
	c := newOrderCache()
	epoch := c.now()
	c.drop([]int64{7})
	c.put(epoch, 7, []int64{1})
	if _, missing := c.get([]int64{7}); len(missing) != 1 {
		t.Error("an older state of a session was kept")
	}
}

func TestTheOrdersStayWithinTheirBounds(t *testing.T) {
	c := newOrderCache()
	order := make([]int64, 1_000)
	for id := range int64(orderNumbers / 100) {
		c.put(0, id, order)
	}
	if n := len(c.of); n > orderNumbers/1_000 {
		t.Errorf("%d orders of 1000 prompts are kept", n)
	}
}
