// SPDX-License-Identifier: BSL-1.0
// report.cjs — tables of the scripts here, printed, or put between two marks of a page.
'use strict';
const fs = require('node:fs');
const os = require('node:os');
const { spawnSync } = require('node:child_process');

/** Markdown: the first column is text, the others are figures. */
const table = (head, rows) =>
  [head, head.map((_, i) => (i === 0 ? '---' : '---:')), ...rows]
    .map((row) => `| ${row.join(' | ')} |`)
    .join('\n');

/** Three significant digits. */
const figure = (number) =>
  Number.isFinite(number) ? `${Number(number.toPrecision(3))}` : '–';

const best = (values) => Math.min(...values);
const median = (values) => {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
};

const processor = () => {
  const { model, speed } = os.cpus()[0];
  return `${model}, ${os.cpus().length} cores${speed ? ` at ${speed} MHz` : ''}`;
};

/** The output of a program that must succeed. */
const run = (program, args, options = {}) => {
  const done = spawnSync(program, args, {
    encoding: 'utf8',
    maxBuffer: 1 << 30,
    stdio: ['ignore', 'pipe', 'inherit'],
    ...options,
  });
  if (done.error || done.status !== 0) {
    throw new Error(`${program} ${args.join(' ')}: ${done.error ?? done.signal ?? done.status}`);
  }
  return done.stdout;
};

/** Prints, or replaces what stands between <!-- name --> and <!-- end of name --> in the page. */
const publish = (text, name, page) => {
  if (!page) {
    console.log(text);
    return;
  }
  const [first, last] = [`<!-- ${name} -->`, `<!-- end of ${name} -->`];
  const before = fs.readFileSync(page, 'utf8');
  const [start, end] = [before.indexOf(first), before.indexOf(last)];
  if (start < 0 || end < start) {
    throw new Error(`${page}: no place between ${first} and ${last}`);
  }
  fs.writeFileSync(
    page,
    `${before.slice(0, start + first.length)}\n\n${text}\n\n${before.slice(end)}`,
  );
};

module.exports = { table, figure, best, median, processor, run, publish };
