/** Plots as SVG, without scripts: lines over the seconds of a run, and columns of a histogram. Colours are those of the page. */
import type { HistogramColumn } from '../run/histogram.ts';

const width = 760;
const height = 220;
const left = 64;
const right = 12;
const top = 12;
const bottom = 30;
const ticks = 4;

export interface Line {
  readonly name: string;
  /** Of the class names of the page: one to six. */
  readonly colour: number;
  readonly points: readonly (readonly [at: number, value: number])[];
}

/** `unit` and `across` say below the plot what its axes are. */
export function linePlot(lines: readonly Line[], unit: string, across: string): string {
  const points = lines.flatMap((line) => line.points);
  if (points.length === 0) return '<p>Nothing was measured.</p>';
  const lastAt = Math.max(1, ...points.map(([at]) => at));
  const firstAt = Math.min(...points.map(([at]) => at));
  const most = niceCeiling(Math.max(...points.map(([, value]) => value)));
  const x = (at: number) => left + ((at - firstAt) / Math.max(1e-9, lastAt - firstAt)) * (width - left - right);
  const y = (value: number) => height - bottom - (value / most) * (height - top - bottom);
  const drawn = lines.map(
    ({ colour, points: own }) =>
      `<polyline class="line c${colour}" points="${own.map(([at, value]) => `${x(at).toFixed(1)},${y(value).toFixed(1)}`).join(' ')}"/>`,
  );
  const acrossTicks = Array.from({ length: ticks + 1 }, (_, index) => firstAt + ((lastAt - firstAt) * index) / ticks);
  return plot(
    [
      ...valueAxis(most, y),
      ...acrossTicks.map(
        (at) => `<text class="tick" x="${x(at)}" y="${height - 12}" text-anchor="middle">${shown(at)}</text>`,
      ),
      ...drawn,
    ],
    unit,
    across,
    lines.map(({ name, colour }) => ({ name, colour })),
  );
}

/** Columns of equal width; values grow by a fixed ratio from each to the next. */
export function columnPlot(columns: readonly HistogramColumn[], colour: number): string {
  if (columns.length === 0) return '<p>Nothing was measured.</p>';
  const most = niceCeiling(Math.max(...columns.map(({ count }) => count)));
  const step = (width - left - right) / columns.length;
  const y = (value: number) => height - bottom - (value / most) * (height - top - bottom);
  const bars = columns.map(
    ({ count }, index) =>
      `<rect class="bar c${colour}" x="${(left + index * step).toFixed(1)}" y="${y(count).toFixed(1)}" width="${Math.max(1, step - 1).toFixed(1)}" height="${(height - bottom - y(count)).toFixed(1)}"/>`,
  );
  const every = Math.max(1, Math.ceil(columns.length / 6));
  const labels = columns.flatMap(({ upToMilliseconds }, index) =>
    index % every === 0
      ? [`<text class="tick" x="${left + index * step}" y="${height - 12}">${shown(upToMilliseconds)}</text>`]
      : [],
  );
  return plot([...valueAxis(most, y), ...bars, ...labels], 'count', 'milliseconds, by ratio', []);
}

function plot(parts: readonly string[], unit: string, across: string, names: readonly Omit<Line, 'points'>[]): string {
  const legend = names.map(({ name, colour }) => `<span class="key c${colour}">${escaped(name)}</span>`).join(' ');
  return `<figure><svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(unit)}">${parts.join('')}</svg><figcaption>${legend} <span class="across">${escaped(unit)}; across: ${escaped(across)}</span></figcaption></figure>`;
}

function valueAxis(most: number, y: (value: number) => number): string[] {
  return Array.from({ length: ticks + 1 }, (_, index) => {
    const value = (most * index) / ticks;
    return `<line class="grid" x1="${left}" x2="${width - right}" y1="${y(value)}" y2="${y(value)}"/><text class="tick" x="${left - 6}" y="${y(value) + 4}" text-anchor="end">${shown(value)}</text>`;
  });
}

function niceCeiling(value: number): number {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 2.5, 5, 10].map((step) => step * power).find((step) => step >= value) ?? value;
}

/** Three significant digits. */
export function shown(value: number): string {
  return Math.abs(value) >= 1_000 ? Math.round(value).toLocaleString('en') : Number(value.toPrecision(3)).toString();
}

export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
