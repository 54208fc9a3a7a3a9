#!/usr/bin/env node
// SPDX-License-Identifier: BSL-1.0
// onnxruntime.mjs — ONNX Runtime's attention on one thread: float, q, k and v given, no projections.
//
//   node onnxruntime.mjs --modules FOLDER [--tokens 64,256] [--seconds 0.2] [--without-a-mask]
//
// FOLDER/node_modules has onnxruntime-node. Three of its operators compute what the kernel computes;
// all are measured, and which one is fastest depends on T. The layer of one head is its operator
// Attention with projections, and a MatMul by Wo. Each result is held against the formulas first;
// without a mask it must be refused.
// Prints {version, results: [{name, operator, difference, seconds}]}.

import { createRequire } from 'node:module';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { onnx_model } from './onnx_model.mjs';
import { causal_attention, product, largest_difference } from './reference.mjs';

const { values: options } = parseArgs({
  options: {
    modules: { type: 'string', default: '.' },
    tokens: { type: 'string', default: '6,64,256,1024,4096' },
    seconds: { type: 'string', default: '0.2' },
    'without-a-mask': { type: 'boolean', default: false },
  },
});
const causal = options['without-a-mask'] ? 0 : 1;
const require = createRequire(path.resolve(options.modules, 'package.json'));
const ort = require('onnxruntime-node');

const bound = 1e-5;

// Numbers in [−amplitude, amplitude).
const numbers = (count, seed, amplitude = 1) => {
  let state = seed;
  return Float32Array.from({ length: count }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return amplitude * (state / 2 ** 31 - 1);
  });
};

// (tokens, heads, width) from (heads, tokens, width): half of the operators want heads side by side.
const heads_side_by_side = (values, { heads, tokens, width }) => {
  const result = new Float32Array(values.length);
  for (let head = 0; head < heads; ++head)
    for (let token = 0; token < tokens; ++token)
      result.set(
        values.subarray((head * tokens + token) * width, (head * tokens + token + 1) * width),
        (token * heads + head) * width,
      );
  return result;
};

const kernels = ({ heads, tokens, width }) => {
  const side_by_side = [1, tokens, heads * width];
  const one_by_one = [1, heads, tokens, width];
  const all = [
    {
      operator: 'Attention (opset 23)',
      dims: one_by_one,
      node: { op: 'Attention', inputs: ['q', 'k', 'v'], attributes: { is_causal: causal } },
    },
    {
      operator: 'MultiHeadAttention',
      dims: side_by_side,
      node: {
        op: 'MultiHeadAttention',
        domain: 'com.microsoft',
        inputs: ['q', 'k', 'v'],
        attributes: { num_heads: heads, unidirectional: causal },
      },
    },
    {
      operator: 'GroupQueryAttention',
      dims: side_by_side,
      node: {
        op: 'GroupQueryAttention',
        domain: 'com.microsoft',
        inputs: ['q', 'k', 'v', '', '', 'last', 'total'],
        attributes: { num_heads: heads, kv_num_heads: heads },
      },
      more_inputs: { last: [[1], tokens - 1], total: [[], tokens] },
      more_outputs: ['present_key', 'present_value'].map((name) => ({ name, dims: one_by_one })),
    },
  ];
  // The last one wants heads whose width is a multiple of 8.
  return width % 8 === 0 ? all : all.slice(0, 2);
};

const session_of = (nodes, inputs, outputs, constants) =>
  ort.InferenceSession.create(onnx_model({ nodes, inputs, outputs, constants }), {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
  });

// Seconds of the processor for a call, on average over `at_least` seconds, into a tensor that is there.
const average = async (session, feeds, out, at_least) => {
  const start = process.cpuUsage();
  let seconds = 0;
  let calls = 0;
  do {
    await session.run(feeds, { out });
    ++calls;
    const { user, system } = process.cpuUsage(start);
    seconds = (user + system) * 1e-6;
  } while (seconds < at_least);
  return seconds / calls;
};
const time = async (session, feeds, out) => {
  await average(session, feeds, out, Number(options.seconds) / 4);
  return average(session, feeds, out, Number(options.seconds));
};

const results = [];
const measure = async ({ name, operator, session, feeds, dims, check }) => {
  const { out } = await session.run(feeds, ['out']);
  const difference = check(out.data);
  if (!(difference < bound)) {
    throw new Error(`${name}: ${operator} is ${difference} away from the formulas`);
  }
  const own = new ort.Tensor('float32', new Float32Array(out.data.length), dims);
  const seconds = await time(session, feeds, own);
  if (check(own.data) !== difference) {
    throw new Error(`${name}: ${operator} did not write where it was told`);
  }
  results.push({ name, operator, difference, seconds });
  await session.release();
};

const measure_kernels = async (size) => {
  const { heads, tokens, width } = size;
  const inputs = ['q', 'k', 'v'].map((name, i) => [name, numbers(heads * tokens * width, i + 1)]);
  const expected = causal_attention(size, ...inputs.map(([, values]) => values));
  for (const { operator, dims, node, more_inputs = {}, more_outputs = [] } of kernels(size)) {
    const arranged = (values) => (dims.length === 3 ? heads_side_by_side(values, size) : values);
    const feeds = {};
    const infos = [];
    for (const [name, values] of inputs) {
      feeds[name] = new ort.Tensor('float32', arranged(values), dims);
      infos.push({ name, dims });
    }
    for (const [name, [own_dims, value]] of Object.entries(more_inputs)) {
      feeds[name] = new ort.Tensor('int32', Int32Array.of(value), own_dims);
      infos.push({ name, type: 'int32', dims: own_dims });
    }
    const outputs = ['out', ...more_outputs.map(({ name }) => name)];
    const session = await session_of([{ ...node, outputs }], infos, [
      { name: 'out', dims },
      ...more_outputs,
    ]);
    await measure({
      name: `forward/float/heads:${heads}/d_head:${width}/T:${tokens}`,
      operator,
      session,
      feeds,
      dims,
      check: (out) => largest_difference(size, expected, out, dims.length === 3),
    });
  }
};

const measure_layer = async ({ tokens, d_model, width }) => {
  const x = numbers(tokens * d_model, 1);
  const weights = ['Wq', 'Wk', 'Wv'].map((_, i) => numbers(d_model * width, i + 2, 0.125));
  const Wo = numbers(width * d_model, 5, 0.125);
  // (d_model, 3·width): the columns of Wq, Wk and Wv side by side.
  const Wqkv = new Float32Array(3 * d_model * width);
  weights.forEach((weight, which) => {
    for (let row = 0; row < d_model; ++row)
      Wqkv.set(weight.subarray(row * width, (row + 1) * width), (3 * row + which) * width);
  });
  const size = { heads: 1, tokens, width };
  const mixed = causal_attention(
    size,
    ...weights.map((weight) => product(x, weight, tokens, d_model, width)),
  );
  const dims = [1, tokens, d_model];
  // Constants, as in a model that was exported, so that they can be packed beforehand. The operator
  // reads a bias even where the model gives it none.
  const constants = [
    { name: 'Wqkv', dims: [d_model, 3 * width], values: Wqkv },
    { name: 'bias', dims: [3 * width], values: new Float32Array(3 * width) },
    { name: 'Wo', dims: [width, d_model], values: Wo },
  ];
  const session = await session_of(
    [
      {
        op: 'Attention',
        domain: 'com.microsoft',
        inputs: ['x', 'Wqkv', 'bias'],
        outputs: ['mixed'],
        attributes: { num_heads: 1, unidirectional: causal },
      },
      { op: 'MatMul', inputs: ['mixed', 'Wo'], outputs: ['out'] },
    ],
    [{ name: 'x', dims }],
    [{ name: 'out', dims }],
    constants,
  );
  const feeds = { x: new ort.Tensor('float32', x, dims) };
  await measure({
    name: `layer/float/d_model:${d_model}/d_head:${width}/T:${tokens}`,
    operator: 'Attention, MatMul',
    session,
    feeds,
    dims,
    check: (out) =>
      Math.max(
        ...mixed.map(({ row, values }) => {
          const expected = product(values, Wo, 1, width, d_model);
          return Math.max(...expected.map((value, i) => Math.abs(value - out[row * d_model + i])));
        }),
      ),
  });
};

// What a call from JavaScript costs by itself: of the small shapes, nearly all.
const measure_call = async () => {
  const dims = [1];
  const session = await session_of(
    [{ op: 'Identity', inputs: ['x'], outputs: ['out'] }],
    [{ name: 'x', dims }],
    [{ name: 'out', dims }],
  );
  const feeds = { x: new ort.Tensor('float32', Float32Array.of(1), dims) };
  await measure({
    name: 'call/float',
    operator: 'Identity',
    session,
    feeds,
    dims,
    check: (out) => Math.abs(out[0] - 1),
  });
};

await measure_call();
for (const tokens of options.tokens.split(',').map(Number)) {
  await measure_kernels({ heads: 12, tokens, width: 64 });
  await measure_layer({ tokens, d_model: 768, width: 64 });
  if (tokens === 6) {
    await measure_kernels({ heads: 1, tokens: 6, width: 2 });
    await measure_kernels({ heads: 1, tokens: 8, width: 8 });
    await measure_layer({ tokens: 6, d_model: 4, width: 2 });
    await measure_layer({ tokens: 8, d_model: 16, width: 8 });
  }
}
console.log(JSON.stringify({ version: ort.env.versions.node ?? ort.env.versions.common, results }));
