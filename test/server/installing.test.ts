/**
 * What operators install: the unit of systemd, the file for containers, and the options that they and the pages for operators
 * name.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { servePlain } from '../../src/gateway/operator/plain-server.ts';
import { loadOptions } from '../../src/options/load.ts';
import { allOptions } from '../../src/options/table.ts';

const root = resolve(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const pages = readdirSync(join(root, 'docs/operators')).map((name) => `docs/operators/${name}`);
const files = ['systemd/murmuration.service', 'Containerfile', 'proxies/nginx.conf', 'proxies/Caddyfile'];

/** Read by the program besides the options. */
const others = new Set(['MURMURATION_PROFILE', 'MURMURATION_DATA_DIR']);

test.each([
  'README.md',
  ...pages,
  ...files.map((name) => `config/${name}`),
])('%s names options that there are', (path) => {
  const known = new Set<string>([...allOptions.map(({ environment }) => environment), ...others]);
  const named = Array.from(read(path).matchAll(/\bMURMURATION_[A-Z0-9_]*[A-Z0-9]\b(?!_|…)/g), ([name]) => name);
  expect(named.filter((name) => !known.has(name))).toEqual([]);
});

test.each(['small', 'single', 'relay'])('the profile %s is understood', (profile) => {
  const input = { environment: { MURMURATION_PROFILE: profile }, configurationFolder: join(root, 'config') };
  expect(() => loadOptions(input)).not.toThrow();
});

const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;
const why = hasSystemd ? '' : ' (skipped: systemd-analyze is missing)';

// because nothing else reads units; .ci/run does not install it
describe.skipIf(!hasSystemd)(`the unit of systemd${why}`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'murmuration-unit-'));
  const unit = join(folder, 'murmuration.service');
  writeFileSync(unit, read('config/systemd/murmuration.service').replaceAll('/opt/murmuration', root));

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('is understood whole', () => {
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', unit], { encoding: 'utf8' });
    expect([stderr, status]).toEqual(['', 0]);
  });

  test('keeps the server in a sandbox', () => {
    const report = execFileSync('systemd-analyze', ['security', '--offline=yes', '--no-pager', unit], {
      encoding: 'utf8',
    });
    expect(Number(/Overall exposure level for \S+: ([\d.]+)/.exec(report)?.[1])).toBeLessThan(2.5);
  });
});

describe('the file for containers', () => {
  const lines = read('config/Containerfile').replaceAll('\\\n', ' ');

  test('runs what is there', () => {
    const [, start] = /^CMD \["node_modules\/\.bin\/node", "([^"]+)"\]$/m.exec(lines)!;
    expect(existsSync(join(root, start!))).toBe(true);
  });

  test('has a health check that tells ready from not ready and from gone', async () => {
    const [program, ...given] = JSON.parse(/HEALTHCHECK .*? CMD (\[.*\])/.exec(lines)![1]!) as string[];
    expect(program).toBe('node_modules/.bin/node');
    let status = 200;
    const server = await servePlain({ host: '127.0.0.1', port: 0, answer: () => ({ status }) });
    const words = given.map((word) => word.replace(':3001/', `:${server.port}/`));
    expect(words).not.toEqual(given);
    const check = async () => (await once(spawn(process.execPath, words), 'exit'))[0] as unknown;
    expect(await check()).toBe(0);
    status = 503;
    expect(await check()).toBe(1);
    await server.close();
    expect(await check()).toBe(1);
  });
});
