/**
 * `/metrics` and `status` of a running server after a few requests, read by a parser for Prometheus and as an operator
 * does.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import parsePrometheusText from 'parse-prometheus-text-format';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expositionOf } from '../../../src/gateway/operator/metrics/exposition.ts';
import { allocateMetrics } from '../../../src/runtime/metrics/layout.ts';
import { counter, histogram } from '../../../src/runtime/metrics/metric.ts';
import { Metrics } from '../../../src/runtime/metrics/metrics.ts';
import { readMetrics } from '../../../src/runtime/metrics/reading.ts';
import { freePort } from '../../support/free-port.ts';
import { type RunningServer, startTestServer } from '../../support/server.ts';
import { until } from '../../support/until.ts';

describe('the text form', () => {
  test('keeps labels with quotes, backslashes and line breaks, and counts buckets upwards', async () => {
    const memory = allocateMetrics();
    const metrics = new Metrics(memory);
    const odd = 'a "b" \\ c\nd';
    metrics.counter(counter({ name: 'odd', labels: ['text'], help: 'Odd \\ help' }), odd).add(3);
    const waits = metrics.histogram(histogram({ name: 'wait', unit: 'seconds', help: 'Waits', buckets: [0.1, 1] }));
    for (const seconds of [0.05, 0.5, 0.5, 7]) waits.observe(seconds);
    const text = await expositionOf(readMetrics([{ title: 'owner 0', memory }]));
    const families = parsePrometheusText(text);
    expect(families.find(({ name }) => name === 'murmuration_odd_total')).toMatchObject({
      type: 'COUNTER',
      metrics: [{ value: '3', labels: { thread: 'owner 0', text: odd } }],
    });
    // The parser reads the buckets of a histogram that has labels, and passes over the rest.
    expect(text).toContain('_sum{thread="owner 0"} 8.05\nmurmuration_wait_seconds_count{thread="owner 0"} 4\n');
    expect(families.find(({ name }) => name === 'murmuration_wait_seconds')).toMatchObject({
      type: 'HISTOGRAM',
      metrics: [{ buckets: { '0.1': '1', '1': '3', '+Inf': '4' } }],
    });
  });
});

describe('a running server', () => {
  let server: RunningServer;
  let port: number;
  let healthPort: number;
  let token: string;

  beforeAll(async () => {
    port = await freePort('127.0.0.1');
    healthPort = await freePort('127.0.0.1');
    const environment = { MURMURATION_METRICS_PORT: String(port), MURMURATION_HEALTH_PORT: String(healthPort) };
    server = await startTestServer({ environment });
    token = (await server.createUser('alice')).token;
    for (const status of ['Good morning', 'Good night'])
      expect((await server.fetch('/api/v1/statuses', { method: 'POST', token, json: { status } })).status).toBe(200);
    await server.fetch('/api/v1/statuses/1', { token });
  });

  afterAll(() => server.stop());

  const scrape = async () => {
    const answer = await fetch(`http://127.0.0.1:${port}/metrics`);
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
    const text = await answer.text();
    return { text, families: parsePrometheusText(text) };
  };

  /** All series with these labels together; of histograms, how many values they counted. */
  const sumOf = async (name: string, labels: Record<string, string> = {}) => {
    const { text, families } = await scrape();
    const family = families.find((candidate) => candidate.name === name);
    const pairs = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
    // The parser puts the series of a histogram into one: its lines are read here.
    const sample = family?.type === 'HISTOGRAM' ? `${name}_count` : name;
    return text
      .split('\n')
      .filter((line) => line.startsWith(`${sample}{`) && pairs.every((pair) => line.includes(pair)))
      .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0);
  };

  test.each<[string, Record<string, string>, number]>([
    ['murmuration_requests_total', { method: 'POST', path: '/api/v1/statuses', status: '2xx' }, 2],
    ['murmuration_requests_total', { method: 'GET', path: '/api/v1/statuses/:id', status: '4xx' }, 1],
    ['murmuration_request_seconds', { method: 'POST', path: '/api/v1/statuses' }, 2],
    ['murmuration_turn_seconds', { message: 'account.publish' }, 2],
    ['murmuration_thread_deaths_total', {}, 0],
  ])('tells %s %j', async (name, labels, value) => {
    expect(await sumOf(name, labels)).toBe(value);
  });

  test.each([
    'murmuration_append_seconds',
    'murmuration_batch_bytes',
    'murmuration_call_seconds',
    'murmuration_events_total',
    'murmuration_event_loop_delay_seconds',
    'murmuration_heap_used_bytes',
    'murmuration_cache_max_bytes',
    'murmuration_event_listeners',
    'murmuration_http_connections',
    'murmuration_memory_bytes',
  ])('measures %s', async (name) => {
    await until(async () => (await sumOf(name)) > 0);
  });

  test.each([
    ['/', 'GET', 404],
    ['/metrics', 'POST', 405],
    ['/metrics?since=1', 'GET', 200],
  ])('answers %s by %s with %i', async (path, method, status) => {
    expect((await fetch(`http://127.0.0.1:${port}${path}`, { method })).status).toBe(status);
  });

  test('its health port says the same as its public one, and that it is ready', async () => {
    const accept = { headers: { accept: 'application/json' } };
    const asked = await fetch(`http://127.0.0.1:${healthPort}/health`, accept);
    expect([asked.status, await asked.json()]).toEqual([200, await (await server.fetch('/health', accept)).json()]);
    expect(await (await fetch(`http://127.0.0.1:${healthPort}/ready`)).text()).toBe('READY');
  });

  test('its public port has no metrics', async () => {
    expect((await server.fetch('/metrics')).status).toBe(404);
  });

  test('status tells how it is doing', async () => {
    const status = await server.run('status');
    expect(status).toMatch(/^Uptime: .*, processors in use: \d+\.\d\d, waited for: \d+\.\d\d$/m);
    // On a busy machine it may be seconds.
    expect(status).toMatch(/^Requests: .*2xx .*p50 [≤>] [\d.]+ m?s/m);
    expect(status).toMatch(/^Turns: .*p99 [≤>] [\d.]+ m?s, failed/m);
    expect(status).toMatch(/^Memory: anonymous \d+ MB, mapped \d+ MB/m);
    expect(status).toMatch(/^Threads: 0 silent, 0 replaced/m);
  });

  test('status --watch fills a terminal, renews it, and leaves it as it was', async () => {
    // Without `exec` the shell would stay, and end by the interruption itself.
    const command = `exec ${process.execPath} src/start.mjs status --watch`;
    // A terminal of its own for the command; util-linux has it on every Linux.
    const terminal = spawn('script', ['--quiet', '--flush', '--return', '--command', command, '/dev/null'], {
      env: { ...process.env, MURMURATION_DATA_DIR: server.dataDirectory },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    let screen = '';
    terminal.stdout.on('data', (chunk: Buffer) => {
      screen += chunk.toString();
    });
    // At `exit` the last output may not have arrived yet.
    const ended = new Promise((resolve) => terminal.once('close', resolve));
    const home = '\u001b[H';
    await until(() => screen.split(home).length > 3);
    // Ctrl-C, as the terminal passes it on.
    terminal.stdin.write('\u0003');
    expect(await ended).toBe(0);
    expect(screen.startsWith('\u001b[?25l\u001b[2J')).toBe(true);
    const [, , second] = screen.split(home);
    expect(second).toMatch(/Requests: \d+\/s /);
    expect(second).toContain('\u001b[K');
    expect(screen.trimEnd().endsWith('\u001b[?25h')).toBe(true);
  });

  test('status --watch ends when nobody reads it any more, as with `| head`', async () => {
    const command = spawn(process.execPath, ['src/start.mjs', 'status', '--watch'], {
      env: { ...process.env, MURMURATION_DATA_DIR: server.dataDirectory },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let complaints = '';
    command.stderr.on('data', (chunk: Buffer) => {
      complaints += chunk.toString();
    });
    const ended = new Promise((resolve) => command.once('close', resolve));
    await once(command.stdout, 'data');
    command.stdout.destroy();
    expect(await ended).toBe(0);
    expect(complaints).toBe('');
  });

  test('status of a stopped server tells what it stores, and that there is nothing to watch', async () => {
    const stopped = await startTestServer();
    await stopped.kill();
    const lines = (await stopped.run('status')).trimEnd().split('\n');
    expect(lines[0]).toBe('The server is stopped.');
    // Figures of the threads that carry out the command would say nothing about the server.
    expect(lines.at(-1)).toMatch(/^Dead letters in files of the data folder: /);
    await expect(stopped.run('status', '--watch')).rejects.toThrow('nothing to watch');
  });
});
