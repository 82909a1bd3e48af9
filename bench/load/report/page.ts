/** The report as one HTML page, which needs nothing else: styles and plots are in it, and there is no script. */
import type { RecordedSeries } from '../run/recorder.ts';
import { columnPlot, escaped, type Line, linePlot, shown } from './plots.ts';
import type { Report } from './report.ts';

const colours = 6;
/** How late the tool itself was is in the table. */
const lateName = 'due to sent';
/** Of most requests, so that a plot can be read. */
const linesMax = 6;

const style = `
:root { color-scheme: light dark; --ink: #1b1f24; --paper: #fff; --faint: #6a737d; --grid: #e1e4e8; --warn: #9a3412;
  --c1: #2563eb; --c2: #d97706; --c3: #059669; --c4: #db2777; --c5: #7c3aed; --c6: #64748b; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e8eb; --paper: #15181c; --faint: #9aa4af; --grid: #2d333b; --warn: #fdba74;
  --c1: #60a5fa; --c2: #fbbf24; --c3: #34d399; --c4: #f472b6; --c5: #a78bfa; --c6: #94a3b8; } }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; font-size: 14px; }
th, td { text-align: right; padding: .25rem .5rem; border-bottom: 1px solid var(--grid); } th:first-child, td:first-child { text-align: left; }
.wide { overflow-x: auto; } .warning { color: var(--warn); font-weight: 600; } .faint, figcaption .across { color: var(--faint); }
figure { margin: 1rem 0; } svg { width: 100%; height: auto; } .line { fill: none; stroke-width: 1.6; } .grid { stroke: var(--grid); }
.tick { fill: var(--faint); font-size: 11px; } .key::before { content: "■ "; } .key { margin-right: 1em; }
${Array.from({ length: colours }, (_, index) => `.line.c${index + 1} { stroke: var(--c${index + 1}); } .bar.c${index + 1} { fill: var(--c${index + 1}); } .key.c${index + 1} { color: var(--c${index + 1}); }`).join(' ')}
pre { overflow-x: auto; font-size: 13px; }`;

export function reportPage({ series, usagePoints: usage, ...report }: Report): string {
  const { scenario, summary, server, seconds, secondsAsked, warmUpSeconds, interrupted, warnings } = report;
  const busiest = series
    .filter(({ name }) => name !== lateName)
    .toSorted((one, other) => sumOf(other) - sumOf(one))
    .slice(0, linesMax);
  const lineOf = (value: 'p50' | 'p99' | 'count' | 'errors') => (one: RecordedSeries, index: number) =>
    ({
      name: one.name,
      colour: index + 1,
      points: one.points
        .filter(({ count }) => count > 0 || value === 'errors' || value === 'count')
        .map((point) => [point.second, point[value]] as const),
    }) satisfies Line;
  const hasServer = usage.some(({ server: share }) => share !== undefined);
  const cpu: Line[] = [
    { name: 'load tool', colour: 6, points: usage.map(({ second, tool }) => [second, tool * 100] as const) },
    ...(hasServer
      ? [
          {
            name: 'server',
            colour: 1,
            points: usage.map(({ second, server: share = 0 }) => [second, share * 100] as const),
          },
        ]
      : []),
  ];
  const memory = usage.map(({ second, serverMegabytes = 0 }) => [second, serverMegabytes] as const);
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(scenario)}: load report</title><style>${style}</style></head><body>
<h1>${escaped(scenario)}</h1>
<p>${escaped(summary)}</p>
<p class="faint">${escaped(server)}; ${shown(seconds)} s measured${interrupted ? ` of ${shown(secondsAsked)}: ended early` : ''}, after ${shown(warmUpSeconds)} s of warm-up; ${escaped(machineWords(report))}</p>
${warnings.map((warning) => `<p class="warning">${escaped(warning)}</p>`).join('\n')}
<h2>Latency</h2>
<p class="faint">Milliseconds, from the moment at which something was due to its end.</p>
<div class="wide">${latencyTable(report)}</div>
<h3>99th percentile of each second, milliseconds</h3>
${linePlot(busiest.map(lineOf('p99')), 'ms', 'seconds')}
<h3>Median of each second, milliseconds</h3>
${linePlot(busiest.map(lineOf('p50')), 'ms', 'seconds')}
<h3>Done a second</h3>
${linePlot(busiest.map(lineOf('count')), 'a second', 'seconds')}
<h2>Histograms</h2>
${busiest.map((one, index) => `<h3>${escaped(one.name)}</h3>${columnPlot(one.columns, index + 1)}`).join('\n')}
<h2>CPU</h2>
<p class="faint">Per cent of one core.</p>
${linePlot(cpu, '%', 'seconds')}
${hasServer ? `<h3>Memory of the server, MB, without pages of files</h3>${linePlot([{ name: 'server', colour: 1, points: memory }], 'MB', 'seconds')}` : ''}
<h2>Everything</h2>
<pre>${escaped(JSON.stringify(report, undefined, 1))}</pre>
</body></html>
`;
}

function latencyTable({ latencies }: Pick<Report, 'latencies'>): string {
  const head = ['', 'count', 'a second', 'p50', 'p90', 'p95', 'p99', 'p99.9', 'max', 'errors'];
  const rows = Object.entries(latencies).map(([name, found]) => [
    escaped(name),
    ...[found.count, found.perSecond, found.p50, found.p90, found.p95, found.p99, found.p999, found.max].map(shown),
    Object.entries(found.errors)
      .map(([kind, count]) => `${shown(count)} × ${escaped(kind)}`)
      .join('<br>'),
  ]);
  const cells = (tag: string, row: readonly string[]) =>
    `<tr>${row.map((cell) => `<${tag}>${cell}</${tag}>`).join('')}</tr>`;
  return `<table>${cells('th', head)}${rows.map((row) => cells('td', row)).join('')}</table>`;
}

function sumOf({ points }: RecordedSeries): number {
  return points.reduce((sum, { count }) => sum + count, 0);
}

function machineWords({ machine: { processor, cores, memoryBytes, at } }: Pick<Report, 'machine'>): string {
  return `${cores} × ${processor ?? 'unknown processor'}, ${(memoryBytes / 1e9).toFixed(0)} GB, ${at}`;
}
