// SPDX-License-Identifier: BSL-1.0
// report.cjs — tables of the scripts here, printed, or put between two marks of a page.
'use strict';
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { spawnSync } = require('node:child_process');
const { parseArgs } = require('node:util');

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
  // A name alone may stand for processors of several generations.
  const cpuinfo = fs.existsSync('/proc/cpuinfo') ? fs.readFileSync('/proc/cpuinfo', 'utf8') : '';
  const of = (key) => new RegExp(`^${key}\\s*: (.*)$`, 'm').exec(cpuinfo)?.[1];
  const generation = of('model') ? ` (family ${of('cpu family')}, model ${of('model')})` : '';
  return `${model}${generation}, ${os.cpus().length} cores${speed ? ` at ${speed} MHz` : ''}`;
};

/**
 * A script's options: a string each; numbers above 0 where the default is a number, or several with commas.
 * --help prints the comment that the script begins with; a wrong option stops it. What goes wrong later is told
 * in a line.
 */
const options_of = (script, defaults) => {
  process.on('uncaughtException', (error) => {
    console.error(`${path.basename(script)}: ${error.message}`);
    process.exit(1);
  });
  const stop = (message, status) => {
    const lines = fs.readFileSync(script, 'utf8').split('\n').slice(2);
    const usage = lines.slice(0, lines.findIndex((line) => !line.startsWith('//')));
    (status ? console.error : console.log)(
      `${message}${usage.map((line) => line.replace(/^\/\/ ?/, '')).join('\n')}`,
    );
    process.exit(status);
  };
  const described = { help: { type: 'boolean', default: false } };
  for (const [name, value] of Object.entries(defaults)) {
    described[name] = { type: 'string', ...(value === undefined ? {} : { default: value }) };
  }
  try {
    const { values } = parseArgs({ options: described });
    if (values.help) stop('', 0);
    const are_numbers = (value) => value.split(',').every((part) => Number(part) > 0);
    for (const [name, usual = ''] of Object.entries(defaults)) {
      if (!are_numbers(usual)) continue;
      const value = values[name];
      const may_be_several = usual.includes(',');
      if (!are_numbers(value) || (value.includes(',') && !may_be_several)) {
        const wanted = may_be_several ? 'numbers' : 'a number';
        throw new Error(`--${name} is to be ${wanted} above 0, as ${usual}, and not '${value}'`);
      }
    }
    return values;
  } catch (error) {
    return stop(`${path.basename(script)}: ${error.message}\n\n`, 2);
  }
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

module.exports = { table, figure, best, median, processor, options_of, run, publish };
