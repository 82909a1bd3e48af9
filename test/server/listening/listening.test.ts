/** What is examined before a server listens: options that exclude each other, certificates, Unix sockets. */
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadOptions } from '../../../src/options/load.ts';
import type { Problem } from '../../../src/runtime/ports.ts';
import { readCertificate } from '../../../src/server/listening/certificate.ts';
import {
  CertificateWatch,
  createCertificateTurn,
  followCertificate,
  servedFiles,
} from '../../../src/server/listening/certificate-watch.ts';
import { assertListening, Listening } from '../../../src/server/listening/listening.ts';
import { redirect } from '../../../src/server/listening/redirect-port.ts';
import { assertSocketFree, removeSockets, socketPaths } from '../../../src/server/listening/unix-socket.ts';
import { until } from '../../support/until.ts';

const fixture = (file: string) => join(import.meta.dirname, '../fixtures', file);
const files = { certificate: fixture('server.pem'), key: fixture('server-key.pem') };
const now = Date.parse('2027-06-01');

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'murmuration-listening-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

test.each<[string, Record<string, string>, string]>([
  ['a certificate without a key', { TLS_CERTIFICATE: files.certificate }, 'TLS needs both'],
  ['a key without a certificate', { TLS_KEY: files.key }, 'TLS needs both'],
  ['a redirect to nothing', { REDIRECT_PORT: '80' }, 'Only a server that speaks TLS can redirect to it'],
  ['challenges on no port', { ACME_FOLDER: '/srv/acme' }, 'set MURMURATION_REDIRECT_PORT'],
  ['a socket whose proxy is not believed', { SOCKET: '/run/m.sock' }, 'set MURMURATION_TRUSTED_PROXIES to 1'],
  [
    'TLS on a socket',
    { SOCKET: '/run/m.sock', TRUSTED_PROXIES: '1', TLS_CERTIFICATE: files.certificate, TLS_KEY: files.key },
    'the proxy speaks TLS',
  ],
  [
    'a socket in a cluster',
    { SOCKET: '/run/m.sock', TRUSTED_PROXIES: '1', CLUSTER: 'nats://127.0.0.1:4222' },
    'The nodes of a cluster',
  ],
  [
    'TLS on a node that passes connections on',
    {
      ...{ CLUSTER: 'nats://127.0.0.1:4222', CLUSTER_PASS_ON: 'on', ORIGIN: 'https://social.example' },
      ...{ TLS_CERTIFICATE: files.certificate, TLS_KEY: files.key },
    },
    'cannot say whose they are',
  ],
  [
    'TLS below an origin without',
    { ORIGIN: 'http://social.example', TLS_CERTIFICATE: files.certificate, TLS_KEY: files.key },
    'so its origin begins with https',
  ],
  ['no certificate', { TLS_CERTIFICATE: '/none.pem', TLS_KEY: files.key }, 'The certificate cannot be read (ENOENT'],
])('%s is refused', (_name, given, sentence) => {
  const environment = Object.fromEntries(Object.entries(given).map(([name, value]) => [`MURMURATION_${name}`, value]));
  const options = loadOptions({ environment, configurationFolder: '.', readTextFile: () => undefined });
  expect(() => assertListening(options, now)).toThrow(sentence);
});

test('a certificate and its key are read, also those of another kind', () => {
  expect(readCertificate(files, 'localhost', now)).toMatchObject({ warnings: [] });
  const renewed = { certificate: fixture('renewed.pem'), key: fixture('renewed-key.pem') };
  expect(readCertificate(renewed, '127.0.0.1', now)).toMatchObject({ warnings: [] });
});

test('one that has ended, begins later or is for another host is served, with a warning', () => {
  const warned = (host: string, at: string) => readCertificate(files, host, Date.parse(at)).warnings;
  expect(warned('social.example', '2027-06-01')).toEqual([expect.stringContaining('is not for social.example.')]);
  expect(warned('localhost', '3000-01-01')).toEqual([expect.stringContaining('has ended')]);
  expect(warned('localhost', '1999-01-01')).toEqual([expect.stringContaining('is not valid yet')]);
});

test.each([
  ['the key of another', { key: fixture('renewed-key.pem') }, 'is not that of the certificate'],
  ['no PEM', { certificate: fixture('grown-heap.ts') }, 'has no certificate in PEM'],
  ['a certificate as the key', { key: fixture('server.pem') }, 'has no private key in PEM without a password'],
  ['no file', { key: fixture('none.pem') }, 'The key cannot be read (ENOENT'],
])('%s is refused', (_name, other, sentence) => {
  expect(() => readCertificate({ ...files, ...other }, 'localhost', now)).toThrow(sentence);
});

test('a chain that is damaged behind the first certificate is refused', () => {
  const path = join(folder, 'chain.pem');
  const broken = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n';
  writeFileSync(path, readFileSync(files.certificate, 'utf8') + broken);
  expect(() => readCertificate({ ...files, certificate: path }, 'localhost', now)).toThrow('cannot be used for TLS');
});

test('gateways serve copies of what was examined, whatever happens to the files', async () => {
  const own = { certificate: join(folder, 'certificate.pem'), key: join(folder, 'key.pem') };
  const write = (name: string) => {
    copyFileSync(fixture(`${name}.pem`), own.certificate);
    copyFileSync(fixture(`${name}-key.pem`), own.key);
  };
  write('server');
  const problems: Problem[] = [];
  const turn = createCertificateTurn();
  const report = (problem: Problem) => void problems.push(problem);
  const watch = new CertificateWatch({ files: own, host: 'localhost', turn, now: () => now, report });
  watch.start(folder);
  const followed: number[] = [];
  const end = followCertificate(turn, 0, (next) => void followed.push(next), report);
  const copy = (of: number) => readFileSync(servedFiles(folder, of).certificate, 'utf8');
  expect(copy(0)).toBe(readFileSync(files.certificate, 'utf8'));
  expect(statSync(servedFiles(folder, 0).key).mode & 0o777).toBe(0o600);

  watch.look();
  rmSync(own.key);
  watch.look();
  watch.look();
  expect(problems).toEqual([{ level: 'error', message: expect.stringContaining('The key cannot be read') }]);
  write('renewed');
  watch.look();
  expect(problems[1]).toEqual({ level: 'info', message: expect.stringContaining('new connections get') });
  await until(() => followed.length > 0);
  expect([followed, copy(1)]).toEqual([[1], readFileSync(fixture('renewed.pem'), 'utf8')]);
  write('server');
  watch.look();
  // Of the turn before the last nothing is left.
  expect(readdirSync(join(folder, 'tls')).sort()).toEqual([
    'certificate-1.pem',
    'certificate-2.pem',
    'key-1.pem',
    'key-2.pem',
  ]);
  end();
  watch.stop();
  expect(readdirSync(folder).sort()).toEqual(['certificate.pem', 'key.pem']);
});

test('the redirect leads nowhere else', async () => {
  const answer = redirect({ origin: 'https://social.example', acmeFolder: folder });
  const locationOf = async (target: string) =>
    (await answer({ method: 'GET', path: target, target, accept: '' })).headers?.Location;
  expect(await locationOf('//evil.example/')).toBe('https://social.example//evil.example/');
  expect(await locationOf('http://evil.example/')).toBe('https://social.example/');
});

test('a socket that nobody uses is replaced, anything else is not', async () => {
  const [path, second] = socketPaths(join(folder, 'web.sock'), 2) as [string, string];
  expect(second).toBe(`${path}.1`);
  await assertSocketFree(path);
  const other = createServer().listen(path);
  await until(() => other.listening);
  await expect(assertSocketFree(path)).rejects.toThrow(`Another program listens on the socket ${path}.`);
  await new Promise((resolve) => other.close(resolve));
  writeFileSync(second, '');
  await expect(assertSocketFree(second)).rejects.toThrow('There is something else than a socket at');
  await expect(assertSocketFree(join(folder, 'none/web.sock'))).rejects.toThrow('There is no folder');
  await expect(assertSocketFree(join(folder, 'a'.repeat(120)))).rejects.toThrow('is too long');
  removeSockets([path, second]);
  expect(readdirSync(folder)).toEqual([]);
});

test('a server that finds something at the path of its socket leaves it there', async () => {
  const path = join(folder, 'web.sock');
  writeFileSync(path, 'a file of somebody');
  const environment = { MURMURATION_SOCKET: path, MURMURATION_TRUSTED_PROXIES: '1' };
  const options = loadOptions({ environment, configurationFolder: '.', readTextFile: () => undefined });
  const listening = new Listening({
    ...{ options, gateways: 1, dataDirectory: folder, turn: undefined },
    ...{ now: () => now, report: () => undefined },
  });
  await expect(listening.begin()).rejects.toThrow('There is something else than a socket at');
  await listening.end();
  expect(readFileSync(path, 'utf8')).toBe('a file of somebody');
});
