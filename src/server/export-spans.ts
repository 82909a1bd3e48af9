/** Where the spans of all threads go, from the main thread. */
import type { Options } from '../options/table.ts';
import type { Collector } from '../outbound/traces/collector.ts';
import { SpanExport } from '../outbound/traces/span-export.ts';
import type { Metrics } from '../runtime/metrics/metrics.ts';
import { software } from '../services/software.ts';
import type { Report } from './log.ts';

/** Undefined where there is no collector. */
export function exportSpans(options: Options, metrics: Metrics, report: Report): SpanExport | undefined {
  const { otlpEndpoint, otlpHeaders, clusterNode, origin } = options;
  if (otlpEndpoint === undefined) return undefined;
  let collector: Collector | undefined;
  return new SpanExport({
    resource: {
      'service.name': software.name,
      'service.version': software.version,
      'service.instance.id': clusterNode ?? origin,
    },
    metrics,
    report,
    async post(body) {
      // Loaded with the first span: the main thread asks no other machine otherwise.
      collector ??= new (await import('../outbound/traces/collector.ts')).Collector(otlpEndpoint, otlpHeaders ?? {});
      return collector.post(body);
    },
  });
}
