/** What a person sees of a run, beside its output: one line that changes on a terminal, lines elsewhere; then a table. */

import { shown } from '../report/plots.ts';
import type { Report } from '../report/report.ts';
import type { RunProgress } from '../run/run.ts';

const beginOfLine = '\r\u001b[K';
/** Where lines cannot be replaced, one is enough every so often. */
const plainSeconds = 5;

export interface Terminal {
  readonly isTTY?: boolean | undefined;
  write(text: string): unknown;
}

export function progressOn(terminal: Terminal, seconds: number): RunProgress & { end(): void } {
  const isLine = terminal.isTTY === true;
  let said = '';
  const show = (text: string) => {
    if (text === said) return;
    said = text;
    terminal.write(isLine ? `${beginOfLine}${text}` : `${text}\n`);
  };
  return {
    tell: show,
    second({ second, done, failed, busyShare }) {
      if (!isLine && second % plainSeconds !== 0) return;
      if (second < 0) show(`warming up: ${-second} s`);
      else if (second <= seconds)
        show(
          `${second} of ${shown(seconds)} s: ${shown(done)} done, ${shown(failed)} failed; this tool uses ${(busyShare * 100).toFixed(0)} % of a core`,
        );
    },
    end() {
      if (isLine) terminal.write(beginOfLine);
    },
  };
}

const columns = ['count', 'a second', 'p50', 'p95', 'p99', 'max'] as const;

/** A table of latencies in milliseconds, errors, and warnings. */
export function summaryOf({ latencies, warnings, usage, interrupted }: Report): string {
  const names = Object.keys(latencies);
  const widest = Math.max(10, ...names.map((name) => name.length));
  const row = (name: string, cells: readonly string[]) =>
    `${name.padEnd(widest)}${cells.map((cell) => cell.padStart(11)).join('')}`;
  const rows = Object.entries(latencies).flatMap(([name, found]) => [
    row(name, [found.count, found.perSecond, found.p50, found.p95, found.p99, found.max].map(shown)),
    ...Object.entries(found.errors).map(([kind, count]) => `${' '.repeat(4)}${shown(count)} × ${kind}`),
  ]);
  const { serverCpuSeconds, serverMegabytesMost, toolCpuSeconds } = usage;
  const server =
    serverCpuSeconds === undefined
      ? ''
      : `; server ${shown(serverCpuSeconds)} s of CPU, at most ${shown(serverMegabytesMost ?? 0)} MB`;
  return [
    ...(interrupted ? ['Ended early: this is what was measured until then.'] : []),
    row('(ms)', columns),
    ...rows,
    `load tool ${shown(toolCpuSeconds)} s of CPU${server}`,
    ...warnings.map((warning) => `! ${warning}`),
  ].join('\n');
}
