package daemon

import "math"

// odds fits the odds that a telling is right, and not needless, on features of mean 0 and deviation 1.
type odds struct {
	rows   [][]float64
	right  []float64
	weight []float64
	sure   float64 // logit from which it is told
}

func (o *odds) add(features []*float64, right bool, weight float64) {
	var row []float64
	for _, f := range features {
		row = append(row, *f)
	}
	o.rows, o.weight = append(o.rows, append(row, 1)), append(o.weight, weight)
	o.right = append(o.right, float64(is(right)))
}

// fit sets the weights of the features, and returns the minimum of their sum.
func (o *odds) fit(out []*float64) (least float64) {
	mean, dev := o.scale(len(out))
	w := ascend(len(out)+1, gateShrink, func(w, g []float64) (n float64) {
		for i, row := range o.rows {
			sum := 0.0
			for k, v := range row {
				sum += w[k] * (v - mean[k]) / dev[k]
			}
			d := o.weight[i] * (o.right[i] - 1/(1+math.Exp(-sum)))
			for k, v := range row {
				g[k] += d * (v - mean[k]) / dev[k]
			}
			n += o.weight[i]
		}
		return n
	})
	least = o.sure - w[len(out)]
	for k, v := range out {
		*v = math.Round(w[k]/dev[k]*100) / 100
		least += *v * mean[k]
	}
	return math.Round(least*100) / 100
}

// scale returns the means and deviations of n features, and 0 and 1 for the constant after them.
func (o *odds) scale(n int) (mean, dev []float64) {
	mean, dev = make([]float64, n+1), make([]float64, n+1)
	all := 0.0
	for _, w := range o.weight {
		all += w
	}
	for k := range n {
		for i, row := range o.rows {
			mean[k] += o.weight[i] * row[k] / all
		}
		for i, row := range o.rows {
			dev[k] += o.weight[i] * math.Pow(row[k]-mean[k], 2) / all
		}
		dev[k] = math.Sqrt(dev[k]) + 1e-6
	}
	dev[n] = 1
	return mean, dev
}

// ascend finds n weights of the highest likelihood, by Adam.
func ascend(n int, shrink float64, gradient func(w, g []float64) float64) []float64 {
	w, mean, square := make([]float64, n), make([]float64, n), make([]float64, n)
	for step := 1.0; step <= trainSteps; step++ {
		g := make([]float64, len(w))
		n := gradient(w, g)
		for k := range w {
			d := g[k]/n - shrink*w[k]
			mean[k], square[k] = 0.9*mean[k]+0.1*d, 0.99*square[k]+0.01*d*d
			w[k] += trainRate * mean[k] / (1 - math.Pow(0.9, step)) /
				(math.Sqrt(square[k]/(1-math.Pow(0.99, step))) + 1e-8)
		}
	}
	return w
}
