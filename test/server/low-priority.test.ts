/** A command that gives way does so with all its threads. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { getPriority } from 'node:os';
import { expect, test } from 'vitest';
import { giveWay } from '../../src/server/low-priority.ts';

const source = new URL('../../src/server/low-priority.ts', import.meta.url);
const startFile = new URL('../../src/start.mjs', import.meta.url).pathname;
const hasThreads = existsSync('/proc/self/task');
if (!hasThreads) console.warn('Priorities of threads are passed over: only Linux has them.');

// because elsewhere a process has one priority
test.skipIf(!hasThreads)('also those that exist before', () => {
  const script = `
import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { ${giveWay.name} } from '${source.href}';
await readFile('/proc/self/stat');
${giveWay.name}();
const niceOf = (thread) => readFileSync('/proc/self/task/' + thread + '/stat', 'utf8').split(') ')[1].split(' ')[16];
console.log(readdirSync('/proc/self/task').map(niceOf).join(' '));`;
  const printed = execFileSync('nice', ['-n', '0', process.execPath, '--input-type=module', '-e', script]).toString();
  const priorities = printed.trim().split(' ').map(Number);
  expect(priorities.length).toBeGreaterThan(4);
  expect(priorities.filter((priority) => priority < 10)).toEqual([]);
});

test('and from its start on, unless its operator wants it to wait still longer', () => {
  const atEnd = `import { getPriority } from 'node:os'; process.on('exit', () => console.log(getPriority()));`;
  const env = { ...process.env, NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(atEnd)}` };
  const began = getPriority();
  // Without a place it does nothing.
  const priorities = (...words: string[]) =>
    spawnSync(process.execPath, [startFile, ...words], { env })
      .stdout.toString()
      .trim()
      .split('\n')
      .map(Number);
  expect(new Set(priorities('backup'))).toEqual(new Set([Math.max(10, began)]));
  expect(new Set(priorities('restore'))).toEqual(new Set([began]));
  const later = spawnSync('nice', ['-n', '19', process.execPath, startFile, 'backup'], { env });
  expect(new Set(later.stdout.toString().trim().split('\n'))).toEqual(new Set(['19']));
});
