/**
 * The board, the alerts and the page about the log that come with the server, compared with its sources: every metric that they
 * name is declared, with this type and these labels, and every field of the log is described.
 */
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createLogTrace, createReport } from '../../src/server/log.ts';
import { openLogFile } from '../../src/server/log-output.ts';
import { readProject, sourcesOf } from './project.ts';

const root = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const sources = sourcesOf(readProject(root));

interface Declared {
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly labels: readonly string[];
}

const declarationPattern = /\b(counter|gauge|histogram)\(\{(.*?)\}\)/gs;

/** By the name that Prometheus sees. */
const metrics = new Map<string, Declared>(
  sources.flatMap(({ text }) =>
    Array.from(text.matchAll(declarationPattern), ([, type, body]): [string, Declared] => {
      const unit = /unit: '(\w+)'/.exec(body!)?.[1];
      const name = /name: '(\w+)'/.exec(body!)?.[1];
      const full = [
        'murmuration',
        name,
        ...(unit === undefined ? [] : [unit]),
        ...(type === 'counter' ? ['total'] : []),
      ];
      const labels = Array.from(/labels: \[([^\]]*)\]/.exec(body!)?.[1]?.matchAll(/\w+/g) ?? [], ([label]) => label);
      return [full.join('_'), { type: type as Declared['type'], labels }];
    }),
  ),
);

interface Used {
  readonly name: string;
  readonly suffix: string | undefined;
  readonly isRate: boolean;
}

/** What an expression of Prometheus names, and how. */
function usedIn(expression: string): Used[] {
  const pattern = /(?:(rate|increase)\()?\b(murmuration_\w+)/g;
  return Array.from(expression.matchAll(pattern), ([, rate, given]) => {
    const suffix = metrics.has(given!) ? undefined : /_(bucket|sum|count)$/.exec(given!)?.[1];
    return {
      name: suffix === undefined ? given! : given!.slice(0, -suffix.length - 1),
      suffix,
      isRate: rate !== undefined,
    };
  });
}

/** Labels of any series: those of Prometheus itself, and the thread. */
const commonLabels = ['instance', 'job', 'thread', 'le'];

function problemsIn(expression: string): string[] {
  const used = usedIn(expression);
  const known = new Set(commonLabels);
  const problems = used.flatMap(({ name, suffix, isRate }) => {
    const metric = metrics.get(name);
    if (metric === undefined) return [`${name} is not declared`];
    for (const label of metric.labels) known.add(label);
    const isOfHistogram = metric.type === 'histogram';
    return [
      ...(isOfHistogram === (suffix !== undefined) ? [] : [`${name} is a ${metric.type}`]),
      ...(metric.type === 'gauge' && isRate && !/cpu/.test(name) ? [`${name} goes up and down`] : []),
      ...(metric.type !== 'gauge' && !isRate ? [`${name} only goes up: only its rate says something`] : []),
    ];
  });
  const grouped = Array.from(expression.matchAll(/\bby \(([^)]*)\)/g), ([, list]) => list!.split(/,\s*/)).flat();
  const selected = Array.from(expression.matchAll(/[{,]\s*(\w+)\s*(?:=~?|!=|!~)/g), ([, label]) => label!);
  return [...problems, ...[...grouped, ...selected].filter((label) => !known.has(label)).map((label) => `no ${label}`)];
}

const names = (expression: string) => usedIn(expression).map(({ name }) => name);

test('metrics are found in the sources', () => {
  expect(metrics.get('murmuration_requests_total')).toEqual({
    type: 'counter',
    labels: ['method', 'path', 'status'],
  });
  expect(metrics.get('murmuration_request_seconds')?.type).toBe('histogram');
  expect(metrics.size).toBeGreaterThan(80);
});

test.each([
  ['sum(murmuration_nothing)', 'murmuration_nothing is not declared'],
  ['murmuration_requests_total', 'murmuration_requests_total only goes up: only its rate says something'],
  ['rate(murmuration_streams[5m])', 'murmuration_streams goes up and down'],
  ['rate(murmuration_request_seconds[5m])', 'murmuration_request_seconds is a histogram'],
  ['rate(murmuration_requests_total_sum[5m])', 'murmuration_requests_total is a counter'],
  ['sum by (host) (murmuration_lanes)', 'no host'],
  ['murmuration_lanes{stat="ready"}', 'no stat'],
])('%s is refused', (expression, problem) => {
  expect(problemsIn(expression)).toContain(problem);
});

interface Panel {
  readonly id: number;
  readonly title: string;
  readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[];
}

describe('the board for Grafana', () => {
  const { panels } = JSON.parse(read('config/grafana/murmuration.json')) as { panels: Panel[] };
  const shown = panels.filter(({ targets }) => targets !== undefined);

  test.each(shown.map((panel) => [panel.title, panel] as const))('%s shows what there is', (_title, { targets }) => {
    expect(targets!.flatMap(({ expr }) => problemsIn(expr))).toEqual([]);
    for (const { expr, legendFormat } of targets!) {
      expect(names(expr)).not.toEqual([]);
      expect(expr).toContain('instance=~"$instance"');
      // What the legend names is what the expression keeps.
      for (const [, label] of legendFormat.matchAll(/\{\{(\w+)\}\}/g)) {
        const keeps = /\bby \(/.test(expr) ? new RegExp(`\\bby \\([^)]*\\b${label}\\b`).test(expr) : true;
        expect([label, keeps]).toEqual([label, true]);
      }
    }
  });

  test('each panel has a number of its own', () => {
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    expect(shown.length).toBeGreaterThan(20);
  });
});

describe('the alerts for Prometheus', () => {
  const rules = read('config/prometheus/alerts.yml')
    .split(/^ {6}- alert: /m)
    .slice(1);

  test.each(rules.map((rule) => [rule.split('\n', 1)[0]!, rule] as const))('%s', (_name, rule) => {
    const expression = /^ {8}expr: (.+)$/m.exec(rule)![1]!;
    if (!expression.startsWith('up{')) expect(names(expression)).not.toEqual([]);
    expect(problemsIn(expression)).toEqual([]);
    expect(rule).toMatch(/^ {8}labels: \{ severity: (page|ticket) \}$/m);
    expect(rule).toMatch(/^ {10}summary: \S/m);
    expect(rule).toMatch(/^ {10}description: \S/m);
    for (const [, label] of rule.matchAll(/\$labels\.(\w+)/g)) expect(expression).toMatch(new RegExp(`\\b${label}\\b`));
  });
});

describe('docs/operators/logs.md', () => {
  const page = read('docs/operators/logs.md');
  const described = new Set(Array.from(page.matchAll(/^\| `(\w+)` \| \w+ \|/gm), ([, field]) => field!));

  test('describes every field that a step of a trace has in the log, and no other', () => {
    const lines = sources.flatMap(({ text }) =>
      Array.from(text.matchAll(/\bline: \{\s*text[^;]*?\bdetails: \{([^{}]*)\}/g), ([, details]) => details!),
    );
    expect(lines.length).toBeGreaterThan(5);
    const fields = lines.flatMap((details) =>
      Array.from(details.matchAll(/(?:^|,)\s*(?:\.\.\.)?(\w+)/g), ([, field]) => field!),
    );
    // What a delivery ends with is spread into its line.
    const spread = fields.flatMap((field) => (field === 'outcome' ? ['status', 'fault'] : [field]));
    expect(sources.some(({ text }) => text.includes('outcome: { status: number } | { fault: string }'))).toBe(true);
    const ofEach = ['level', 'time', 'thread', 'msg', 'err', 'cause'];
    expect([...described].sort()).toEqual([...new Set([...ofEach, ...spread])].sort());
  });

  test('describes what the logger adds', () => {
    const folder = mkdtempSync(join(tmpdir(), 'murmuration-log-'));
    const file = openSync(join(folder, 'log'), 'w');
    const input = { options: { logLevel: 'info', tracing: true } as const, logFile: openLogFile(file) };
    createReport(input, 'main')({ level: 'error', message: 'it failed', error: new Error('because') });
    const line = { text: 'request GET /', details: { status: 200 } };
    createLogTrace(input, 'gateway 0')!.step('an-id', { line });
    closeSync(file);
    const lines = readFileSync(join(folder, 'log'), 'utf8').trimEnd().split('\n');
    rmSync(folder, { recursive: true });
    const [problem, step] = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect([...Object.keys(problem!), ...Object.keys(step!)].filter((field) => !described.has(field))).toEqual([]);
    expect(step).toMatchObject({ thread: 'gateway 0', cause: 'an-id', msg: 'request GET /', status: 200 });
    for (const field of Object.keys(problem!.err as object)) expect(page).toContain(`\`${field}\``);
  });
});
