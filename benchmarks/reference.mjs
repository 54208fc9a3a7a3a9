// SPDX-License-Identifier: BSL-1.0
// reference.mjs — the formulas in double precision, of some rows of each head: all of them would take
// longer than what is measured.

/** a (rows, shared) times b (shared, columns). */
export const product = (a, b, rows, shared, columns) => {
  const result = new Float64Array(rows * columns);
  for (let row = 0; row < rows; ++row)
    for (let s = 0; s < shared; ++s)
      for (let column = 0; column < columns; ++column)
        result[row * columns + column] += a[row * shared + s] * b[s * columns + column];
  return result;
};

const rows_to_check = (tokens) =>
  [0, 1, 2, tokens >> 1, tokens - 2, tokens - 1].filter(
    (row, i, all) => row >= 0 && row < tokens && all.indexOf(row) === i,
  );

/** softmax(q·kᵀ/√width)·v over keys 0 … row, as [{head, row, values}]; q, k, v (heads, tokens, width). */
export const causal_attention = ({ heads, tokens, width }, q, k, v) => {
  const results = [];
  for (let head = 0; head < heads; ++head) {
    const at = (row) => (head * tokens + row) * width;
    for (const row of rows_to_check(tokens)) {
      const weights = new Float64Array(row + 1);
      for (let key = 0; key <= row; ++key) {
        for (let i = 0; i < width; ++i) weights[key] += q[at(row) + i] * k[at(key) + i];
        weights[key] /= Math.sqrt(width);
      }
      const largest = weights.reduce((a, b) => Math.max(a, b));
      const powers = weights.map((score) => Math.exp(score - largest));
      const total = powers.reduce((a, b) => a + b);
      const values = new Float64Array(width);
      for (let key = 0; key <= row; ++key)
        for (let i = 0; i < width; ++i) values[i] += (powers[key] / total) * v[at(key) + i];
      results.push({ head, row, values });
    }
  }
  return results;
};

/** Of the rows in `expected`; NaN if an entry is none. */
export const largest_difference = ({ heads, tokens, width }, expected, out, heads_side_by_side) =>
  expected
    .flatMap(({ head, row, values }) => {
      const first = (heads_side_by_side ? row * heads + head : head * tokens + row) * width;
      return Array.from(values, (value, i) => Math.abs(value - out[first + i]));
    })
    .reduce((a, b) => Math.max(a, b), 0);
