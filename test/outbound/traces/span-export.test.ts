/** Spans on their way to a real collector: one that takes them, refuses them, is away, or comes back. */
import { expect, onTestFinished, test } from 'vitest';
import { Collector } from '../../../src/outbound/traces/collector.ts';
import { SpanExport, type SpanExportOptions } from '../../../src/outbound/traces/span-export.ts';
import { allocateMetrics } from '../../../src/runtime/metrics/layout.ts';
import { Metrics } from '../../../src/runtime/metrics/metrics.ts';
import { readMetrics } from '../../../src/runtime/metrics/reading.ts';
import type { SpanBatch } from '../../../src/runtime/tracing/span-recorder.ts';
import { freePort } from '../../support/free-port.ts';
import { startTraceCollector, type TraceCollector } from '../../support/trace-collector.ts';
import { until } from '../../support/until.ts';

const resource = { 'service.name': 'murmuration', 'service.version': '1.2.3' };
const soon = { pauseMilliseconds: 1, firstRetryMilliseconds: 1, retryMillisecondsMax: 20 };

function batchOf(...names: string[]): SpanBatch {
  return { spans: names.length, json: names.map((name) => JSON.stringify({ name })).join(',') };
}

async function collectorOf(port?: number): Promise<TraceCollector> {
  const collector = await startTraceCollector(port);
  onTestFinished(() => collector.close());
  return collector;
}

function exportTo(endpoint: string, limits: SpanExportOptions['limits'] = soon, headers = {}) {
  const metrics = new Metrics(allocateMetrics());
  const collector = new Collector(endpoint, headers);
  onTestFinished(() => collector.close());
  const problems: string[] = [];
  const exporter = new SpanExport({
    resource,
    metrics,
    limits,
    post: (body) => collector.post(body),
    report: ({ level, message }) => void problems.push(`${level}: ${message}`),
  });
  onTestFinished(() => exporter.close());
  const value = (name: string, label?: string) => {
    metrics.sample();
    const family = readMetrics([{ title: 'main', memory: metrics.memory }]).get(`murmuration_trace_${name}`);
    return family?.series.find(({ labels }) => label === undefined || labels.some(([, is]) => is === label))?.value;
  };
  const counts = () => ({
    sent: value('spans_total', 'sent'),
    refused: value('spans_total', 'refused'),
    dropped: value('spans_total', 'dropped'),
    waiting: value('spans_waiting'),
  });
  return { exporter, problems, counts, failures: () => value('requests_failed_total') };
}

const names = ({ spans }: TraceCollector) => spans.map(({ name }) => name);

test('the spans of several threads leave in one request, with who sends them', async () => {
  const collector = await collectorOf();
  const { exporter, counts, problems } = exportTo(`${collector.endpoint}/otlp`, soon, { 'x-key': 'hush' });
  exporter.add(batchOf('one', 'two'));
  exporter.add(batchOf('three'));
  await until(() => counts().sent === 3);
  const [{ path, headers, text }] = collector.requests as [(typeof collector.requests)[number]];
  expect([path, headers['content-type'], headers['x-key']]).toEqual(['/otlp/v1/traces', 'application/json', 'hush']);
  expect(JSON.parse(text)).toEqual({
    resourceSpans: [
      {
        resource: {
          attributes: [
            { key: 'service.name', value: { stringValue: 'murmuration' } },
            { key: 'service.version', value: { stringValue: '1.2.3' } },
          ],
        },
        scopeSpans: [
          {
            scope: { name: 'murmuration', version: '1.2.3' },
            spans: [{ name: 'one' }, { name: 'two' }, { name: 'three' }],
          },
        ],
      },
    ],
  });
  expect([counts(), problems]).toEqual([{ sent: 3, refused: 0, dropped: 0, waiting: 0 }, []]);
});

test('many leave at once, in requests of a bounded size', async () => {
  const collector = await collectorOf();
  const { exporter, counts } = exportTo(collector.endpoint, {
    ...soon,
    pauseMilliseconds: 3_600_000,
    spansPerRequestMax: 3,
  });
  for (const name of ['a', 'b', 'c', 'd']) exporter.add(batchOf(`${name}1`, `${name}2`));
  await until(() => (counts().sent ?? 0) >= 6);
  for (const { text } of collector.requests) expect(text.match(/"name":"[a-d]/g)).toHaveLength(2);
  await exporter.close();
  expect(names(collector)).toEqual(['a1', 'a2', 'b1', 'b2', 'c1', 'c2', 'd1', 'd2']);
});

test('while it is away they wait, the newest are dropped when there are too many, and one line tells of it', async () => {
  const port = await freePort('127.0.0.1');
  const { exporter, counts, failures, problems } = exportTo(`http://127.0.0.1:${port}`, {
    ...soon,
    spansWaitingMax: 3,
  });
  exporter.add(batchOf('one', 'two'));
  exporter.add(batchOf('much', 'too', 'many'));
  exporter.add(batchOf('three'));
  await until(() => failures()! >= 3);
  expect(counts()).toEqual({ sent: 0, refused: 0, dropped: 3, waiting: 3 });
  expect(problems).toEqual(['warn: the collector of traces does not take them: no answer (ECONNREFUSED)']);
  const collector = await collectorOf(port);
  await until(() => counts().sent === 3);
  expect(names(collector)).toEqual(['one', 'two', 'three']);
  expect(problems.slice(1)).toEqual(['info: the collector of traces takes them again']);
});

test('what it asks for later is sent again; what it refuses, in whole or in part, is not', async () => {
  const collector = await collectorOf();
  const { exporter, counts, failures, problems } = exportTo(collector.endpoint);
  collector.answers.push(
    { status: 503, headers: { 'retry-after': '0' } },
    { status: 200 },
    { status: 400 },
    { status: 200, body: { partialSuccess: { rejectedSpans: '1', errorMessage: 'too old' } } },
  );
  exporter.add(batchOf('again'));
  await until(() => counts().sent === 1);
  exporter.add(batchOf('bad', 'worse'));
  await until(() => counts().refused === 2);
  exporter.add(batchOf('good', 'old'));
  await until(() => counts().sent === 2);
  expect([names(collector), failures()]).toEqual([['again', 'again', 'bad', 'worse', 'good', 'old'], 1]);
  expect(counts()).toEqual({ sent: 2, refused: 3, dropped: 0, waiting: 0 });
  expect(problems.filter((problem) => problem.startsWith('warn'))).toEqual([
    'warn: the collector of traces does not take them: it answers 503',
    'warn: the collector of traces does not take them: it answers 400',
  ]);
});

test('the end of the server sends what is left, and waits for no collector that is away', async () => {
  const collector = await collectorOf();
  const patient = { ...soon, pauseMilliseconds: 3_600_000 };
  const { exporter, counts } = exportTo(collector.endpoint, patient);
  exporter.add(batchOf('last'));
  await exporter.close();
  expect([names(collector), counts().sent]).toEqual([['last'], 1]);
  const away = exportTo(`http://127.0.0.1:${await freePort('127.0.0.1')}`, patient);
  away.exporter.add(batchOf('lost'));
  await away.exporter.close();
  expect(away.counts()).toEqual({ sent: 0, refused: 0, dropped: 0, waiting: 1 });
});
