/** Writes metrics in the text format of Prometheus (exposition format 0.0.4). */
import type { Family, Series } from '../../../runtime/metrics/reading.ts';

export const expositionType = 'text/plain; version=0.0.4; charset=utf-8';

export function expositionOf(families: ReadonlyMap<string, Family>): string {
  const lines: string[] = [];
  for (const { metric, series } of families.values()) {
    lines.push(`# HELP ${metric.name} ${escaped(metric.help)}`, `# TYPE ${metric.name} ${metric.type}`);
    for (const one of series) {
      if (metric.type === 'histogram') writeHistogram(lines, metric.name, metric.buckets, one);
      else lines.push(line(metric.name, one.labels, one.value));
    }
  }
  return `${lines.join('\n')}\n`;
}

function writeHistogram(
  lines: string[],
  name: string,
  buckets: readonly number[],
  { labels, counts, value }: Series,
): void {
  let count = 0;
  for (const [index, inBucket] of counts.entries()) {
    count += inBucket;
    const bound = index < buckets.length ? String(buckets[index]) : '+Inf';
    lines.push(line(`${name}_bucket`, [...labels, ['le', bound]], count));
  }
  lines.push(line(`${name}_sum`, labels, value), line(`${name}_count`, labels, count));
}

function line(name: string, labels: Series['labels'], value: number): string {
  const pairs = labels.map(([label, text]) => `${label}="${escaped(text).replaceAll('"', '\\"')}"`);
  return `${name}{${pairs.join(',')}} ${value}`;
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
}
