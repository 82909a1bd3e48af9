/** The doctor beside real set-ups: what is right is told so, and what is wrong is found. */

import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request as requestHttp, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { selfCheckRoutes } from '../../../src/gateway/self-check/self-check.routes.ts';
import { loadOptions } from '../../../src/options/load.ts';
import { checkCertificate } from '../../../src/server/doctor/certificate.ts';
import { checkDisk } from '../../../src/server/doctor/disk.ts';
import { examine } from '../../../src/server/doctor/doctor.ts';
import type { Examined, Stored } from '../../../src/server/doctor/examined.ts';
import type { CheckedFinding } from '../../../src/server/doctor/findings.ts';
import { checkKeys } from '../../../src/server/doctor/keys.ts';
import { checkMemory, checkNode } from '../../../src/server/doctor/machine.ts';
import { type ProblemName, problems } from '../../../src/server/doctor/problems.ts';
import { checkRetention } from '../../../src/server/doctor/retention.ts';
import type { MainInput } from '../../../src/server/main-input.ts';
import { runStorage } from '../../../src/server/storage/commands.ts';
import { keepTotals } from '../../../src/server/storage/kept-report.ts';
import { freePort } from '../../support/free-port.ts';
import { startTranslator } from '../../support/libre-translate.ts';
import { hasNginx, type Nginx, startNginx } from '../../support/nginx.ts';
import { startS3Server } from '../../support/s3-server.ts';
import { type RunningServer, startTestServer } from '../../support/server.ts';
import { smallDisksMissing } from '../../support/small-disk.ts';
import { SmtpReceiver } from '../../support/smtp-receiver.ts';

type Environment = Readonly<Record<string, string>>;
const startFile = join(import.meta.dirname, '../../../src/start.mjs');
const fixture = (file: string) => join(import.meta.dirname, '../fixtures', file);
const never = new AbortController().signal;

if (!hasNginx) console.warn('The doctor behind a proxy is passed over: there is no nginx.');

let place: string;
beforeAll(() => {
  place = mkdtempSync(join(tmpdir(), 'murmuration-doctor-'));
});
afterAll(() => rmSync(place, { recursive: true, force: true }));

function mainOf(environment: Environment, configurationFolder = place): MainInput {
  const entry = new URL(import.meta.url);
  return { programArguments: [], environment, configurationFolder, entry, cores: 2, memoryBytes: 4_000_000_000 };
}

async function doctor(environment: Environment, clocks: readonly string[] = []): Promise<CheckedFinding[]> {
  const main = mainOf(environment);
  const options = loadOptions({ environment, configurationFolder: main.configurationFolder });
  const { lines } = await examine(main, options, { clocks, json: true }, never);
  return (JSON.parse(lines[0]!) as { findings: CheckedFinding[] }).findings;
}

const namesOf = (findings: readonly CheckedFinding[]) => findings.flatMap(({ problem }) => problem ?? []);
const gradeOf = (findings: readonly CheckedFinding[], name: string) =>
  findings.filter(({ check }) => check === name).map(({ grade }) => grade);

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

async function examinedWith(environment: Environment): Promise<Examined> {
  const main = mainOf(environment);
  const options = loadOptions({ environment, configurationFolder: main.configurationFolder });
  return { main, options, folder: place, stored: undefined, isRunning: true, clocks: [] };
}

// because the proxy of the README is nginx, which is a program of the system
describe.skipIf(!hasNginx)('a server behind nginx', () => {
  let server: RunningServer;
  let proxyPort: number;
  let environment: Environment;

  beforeAll(async () => {
    proxyPort = await freePort();
    const origin = `http://127.0.0.1:${proxyPort}`;
    server = await startTestServer({ environment: { MURMURATION_ORIGIN: origin, MURMURATION_TRUSTED_PROXIES: '1' } });
    environment = {
      MURMURATION_ORIGIN: origin,
      MURMURATION_TRUSTED_PROXIES: '1',
      MURMURATION_DATA_DIR: server.dataDirectory,
    };
    await server.createUser('alice');
    // As for the first who asks: the keys of the server exist.
    await fetch(`http://127.0.0.1:${server.port}/actor`);
  });
  afterAll(() => server.stop());

  async function behind(block: string | undefined, given: Environment = {}): Promise<CheckedFinding[]> {
    const nginx: Nginx = await startNginx(server.port, { port: proxyPort, ...(block !== undefined && { block }) });
    try {
      return await doctor({ ...environment, ...given });
    } finally {
      await nginx.stop();
    }
  }

  test('as in the README, with working services, everything is in order but the name', async () => {
    const smtp = new SmtpReceiver();
    const [s3, translator] = await Promise.all([startS3Server(), startTranslator()]);
    const { endpoint, bucket, accessKeyId, secretAccessKey } = s3.options;
    try {
      const findings = await behind(undefined, {
        MURMURATION_SMTP_URL: `smtp://127.0.0.1:${await smtp.listen()}`,
        MURMURATION_MEDIA_S3_ENDPOINT: endpoint,
        MURMURATION_MEDIA_S3_BUCKET: bucket,
        MURMURATION_MEDIA_S3_ACCESS_KEY: accessKeyId,
        MURMURATION_MEDIA_S3_SECRET_KEY: secretAccessKey,
        MURMURATION_MEDIA_S3_PATH_STYLE: 'on',
        MURMURATION_TRANSLATION_ORIGIN: translator.origin,
      });
      expect(findings.filter(({ grade }) => grade === 'wrong').map(({ said }) => said)).toEqual([]);
      for (const check of ['proxy', 'federation', 'keys', 'mail', 'bucket', 'translation', 'node', 'configuration'])
        expect([check, gradeOf(findings, check)]).toEqual([check, ['good']]);
      expect(namesOf(findings)).toEqual(expect.arrayContaining(['addressPrivate', 'noTls']));
      expect(smtp.mails).toEqual([]);
    } finally {
      await Promise.all([smtp.close(), s3.stop(), translator.close()]);
    }
  });

  test('a proxy that strips and holds back is found by each thing that it does', async () => {
    const bare = `location / {
      proxy_pass http://127.0.0.1:3000;
      proxy_http_version 1.1;
      proxy_set_header Authorization "";
      proxy_set_header Signature "";
    }
    location = /.well-known/webfinger { return 200 "mine"; }
    location = /inbox { return 403; }`;
    const found = namesOf(await behind(bare));
    const expected: ProblemName[] = [
      ...(['hostChanged', 'forwardedForBelieved', 'authorizationLost', 'upgradeLost'] as const),
      ...(['bodyTooLarge', 'documentWrong', 'signedGetRefused', 'signedPostRefused', 'inboxUnreachable'] as const),
    ];
    expect(found).toEqual(expect.arrayContaining(expected));
  });

  test('a proxy that passes on what is whole', async () => {
    const holding = createServer((request, response) => {
      const { url: path, method, headers } = request;
      // Each on a connection of its own: headers of the client about its connection are passed on too.
      const asked = { host: '127.0.0.1', port: server.port, path, method, headers, agent: false as const };
      const passed = requestHttp(asked, (answer) => {
        void buffer(answer).then((body) => response.writeHead(answer.statusCode ?? 0, answer.headers).end(body));
      });
      passed.on('error', () => response.destroy());
      request.pipe(passed);
    });
    await new Promise<void>((resolve) => holding.listen(proxyPort, '127.0.0.1', resolve));
    try {
      expect(namesOf(await doctor(environment))).toContain('streamBuffered');
    } finally {
      holding.closeAllConnections();
      holding.close();
    }
  });

  test('proxies that are not counted rightly', async () => {
    // The options of the server decide what it believes: the doctor compares with those that it is given.
    expect(namesOf(await behind(undefined, { MURMURATION_TRUSTED_PROXIES: '0' }))).toContain('proxyUntrusted');
    const silent = `location / {
      proxy_pass http://127.0.0.1:3000;
      proxy_http_version 1.1;
      proxy_set_header Host $http_host;
      proxy_set_header X-Forwarded-For "";
    }`;
    expect(namesOf(await behind(silent))).toContain('forwardedForMissing');
  });

  test('a proxy that leads elsewhere', async () => {
    const found = namesOf(await behind('location / { return 301 https://example.org$request_uri; }'));
    expect(found).toEqual(expect.arrayContaining(['redirected', 'healthBad']));
    expect(namesOf(await behind('location / { return 404; }'))).toContain('anotherServer');
  });

  test('no proxy at all: the address does not answer', async () => {
    const findings = await doctor(environment);
    expect(namesOf(findings)).toContain('addressUnanswered');
    expect(gradeOf(findings, 'proxy')).toEqual(['wrong']);
  });

  test('nobody else learns what arrives', async () => {
    for (const { method, path } of selfCheckRoutes) {
      const url = `http://127.0.0.1:${server.port}${path}`;
      const forged = { 'x-murmuration-self-check': 'A'.repeat(80) };
      for (const headers of [{}, forged]) expect((await fetch(url, { method, headers })).status).toBe(404);
    }
  });

  test('its disk space is told while it runs', async () => {
    const main = mainOf(environment);
    const options = loadOptions({ environment, configurationFolder: main.configurationFolder });
    const told = { show: () => undefined, complain: () => undefined, signal: never };
    const lines = await runStorage({ json: false }, { options, ...told });
    expect(lines).toEqual(expect.arrayContaining([expect.stringMatching(/Accounts here: 1 entries/)]));
    expect((await fetch(`http://127.0.0.1:${server.port}/health`)).status).toBe(200);
  });

  test('the origin of the configuration is that of the accounts', async () => {
    expect(namesOf(await doctor({ ...environment, MURMURATION_ORIGIN: 'https://other.example' }))).toContain(
      'originDiffers',
    );
  });
});

test('a certificate that has expired, one for another name, and none at all', async () => {
  const serve = async (name: string) => {
    const secure = createSecureServer({
      cert: readFileSync(fixture(`${name}.pem`)),
      key: readFileSync(fixture(`${name}-key.pem`)),
    });
    return { port: await listening(secure), close: () => secure.close() };
  };
  const [expired, foreign] = [await serve('expired'), await serve('server')];
  const closed = await freePort();
  const found = async (origin: string) =>
    (await checkCertificate(await examinedWith({ MURMURATION_ORIGIN: origin }), never)).map(({ problem }) => problem);
  try {
    expect(await found(`https://localhost:${expired.port}`)).toEqual(['certificateExpired']);
    expect(await found(`https://localhost:${foreign.port}`)).toEqual(['certificateUntrusted']);
    expect(await found(`https://127.0.0.2:${closed}`)).toEqual(['tlsFails']);
  } finally {
    expired.close();
    foreign.close();
  }
});

test('a clock that is ten minutes behind, and one that agrees', async () => {
  let ahead = 600_000;
  const other = createServer((_request, response) => {
    response.writeHead(200, { date: new Date(Date.now() + ahead).toUTCString() }).end();
  });
  const clocks = [`http://127.0.0.1:${await listening(other)}`];
  const environment = { MURMURATION_DATA_DIR: join(place, 'nothing') };
  try {
    const [finding] = (await doctor(environment, clocks)).filter(({ check }) => check === 'clock');
    expect(finding).toMatchObject({ problem: 'clockWrong', said: expect.stringContaining('600 seconds behind') });
    ahead = 0;
    expect(gradeOf(await doctor(environment, clocks), 'clock')).toEqual(['good']);
  } finally {
    other.close();
  }
});

test('services that do not answer, and nothing stored yet', async () => {
  const closed = await freePort();
  const findings = await doctor({
    MURMURATION_DATA_DIR: join(place, 'nothing'),
    MURMURATION_SMTP_URL: `smtp://127.0.0.1:${closed}`,
    MURMURATION_MEDIA_S3_ENDPOINT: `http://127.0.0.1:${closed}`,
    MURMURATION_MEDIA_S3_BUCKET: 'media',
    MURMURATION_MEDIA_S3_ACCESS_KEY: 'one',
    MURMURATION_MEDIA_S3_SECRET_KEY: 'two',
    MURMURATION_TRANSLATION_ORIGIN: `http://127.0.0.1:${closed}`,
    MURMURATION_PUSH_PRIVATE_HOSTS: `127.0.0.1:${closed}`,
    MURMURATION_CLUSTER: `nats://127.0.0.1:${closed}`,
  });
  const expected: ProblemName[] = [
    ...(['smtpUnreachable', 'bucketUnusable', 'translationUnusable', 'pushHostUnknown', 'clusterUnusable'] as const),
    'originIsDefault',
  ];
  expect(namesOf(findings)).toEqual(expect.arrayContaining(expected));
  for (const check of ['reachability', 'certificate', 'proxy', 'federation'])
    expect([check, gradeOf(findings, check)]).toEqual([check, ['skipped']]);
});

test('a disk that will be full in some days', async () => {
  const folder = mkdtempSync(join(place, 'filling-'));
  chmodSync(folder, 0o700);
  const now = Date.now();
  keepTotals(folder, { at: now - 2 * 86_400_000, bytes: { database: 0 } });
  keepTotals(folder, { at: now, bytes: { database: 2e15 } });
  const examined = { ...(await examinedWith({})), folder };
  expect(checkDisk(examined).map(({ problem }) => problem)).toEqual(['diskFillsSoon']);
});

test('secrets that others can read', async () => {
  const folder = join(place, 'open');
  mkdirSync(folder);
  writeFileSync(join(folder, 'local.json'), JSON.stringify({ translationKey: 'hidden' }));
  writeFileSync(join(folder, 'default.json'), '{}');
  mkdirSync(join(folder, 'data'));
  writeFileSync(join(folder, 'data', 'manifest.json'), '{}');
  chmodSync(join(folder, 'local.json'), 0o644);
  chmodSync(join(folder, 'data'), 0o755);
  const environment = { MURMURATION_DATA_DIR: join(folder, 'data') };
  const main = mainOf(environment, folder);
  const options = loadOptions({ environment, configurationFolder: folder });
  const { ok, lines } = await examine(main, options, { clocks: [], json: false }, never);
  expect(ok).toBe(false);
  expect(lines.join('\n')).toContain('local.json holds secrets (translationKey)');
  expect(lines.join('\n')).not.toContain('hidden');
  expect(lines.join('\n')).toContain('chmod 700 the folder');
});

test('keys whose halves are of two pairs, memory that is not there, another Node', async () => {
  const { generateKeyPairSync } = await import('node:crypto');
  const pair = () => {
    const { publicKey, privateKey } = generateKeyPairSync('rsa', {
      modulusLength: 1_024,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    });
    return { publicKeyPem: publicKey, privateKeyPem: privateKey, createdAt: 0 };
  };
  const [one, other] = [pair(), pair()];
  const examined = await examinedWith({});
  const stored = {
    ...{ origin: undefined, domain: undefined, partitions: 2, hosts: [], retention: undefined },
    secrets: { formSecret: '', keyPair: one, vapidPublicKey: 'BAAA', vapidPrivateKey: 'x'.repeat(43) },
    keyPairs: [[7n, { ...one, publicKeyPem: other.publicKeyPem }] as const],
  };
  const found = checkKeys({ ...examined, stored }).map(({ said }) => said);
  expect(found).toEqual([
    expect.stringContaining('VAPID'),
    'The two halves of the key of the account 7 do not belong together.',
  ]);
  const lateRun = { startedAt: 0, before: 0, slot: 3, examined: 9, forgotten: 4 };
  const retentionWith = (retention: Stored['retention']) =>
    checkRetention({ ...examined, isRunning: true, stored: { ...stored, retention } });
  expect(retentionWith(undefined)).toMatchObject([{ grade: 'good' }]);
  expect(retentionWith({ id: 1n, days: 90, run: lateRun })).toMatchObject([{ problem: 'retentionLate' }]);
  expect(retentionWith({ id: 1n, days: 90, nextAt: Date.now(), run: { ...lateRun, endedAt: 1 } })).toMatchObject([
    { grade: 'good', said: expect.stringContaining('4 of 9 went') },
  ]);
  const small = { ...examined, main: { ...examined.main, memoryBytes: 300_000_000 } };
  expect(checkMemory(small).map(({ problem }) => problem)).toEqual(['memoryTooSmall']);
  expect(checkNode('18.0.0').map(({ problem }) => problem)).toEqual(['nodeOther']);
});

test('an option that is not one is named with its nearest, by the command itself', async () => {
  const environment = { ...process.env, MURMURATION_ORIGN: 'https://social.example', MURMURATION_PORT: '70000' };
  const { code, output } = await run(process.execPath, [startFile, 'doctor', '--json'], environment);
  const { ok, findings } = JSON.parse(output) as { ok: boolean; findings: CheckedFinding[] };
  expect([code, ok, namesOf(findings)]).toEqual([1, false, ['optionInvalid', 'optionInvalid']]);
  expect(findings.map(({ said }) => said).join(' ')).toContain('did you mean MURMURATION_ORIGIN?');
});

const obstacle = await smallDisksMissing();
if (obstacle !== undefined) console.warn(`The doctor on a full disk is passed over: ${obstacle}`);

// because a disk of some kB is a mount of one's own, which needs Linux and user namespaces
test.skipIf(obstacle !== undefined)('a full disk', async () => {
  const script = `mount -t tmpfs -o size=256k,mode=700 none "$1" && echo '{}' >"$1/manifest.json" && { head -c 1m /dev/zero >"$1/ballast" 2>/dev/null; exec "$2" "$3" doctor --json; }`;
  const disk = join(place, 'disk');
  mkdirSync(disk);
  const environment = { ...process.env, MURMURATION_DATA_DIR: disk };
  const { code, output } = await run(
    'unshare',
    ['-rm', 'bash', '-c', script, 'bash', disk, process.execPath, startFile],
    environment,
  );
  expect([code, namesOf((JSON.parse(output) as { findings: CheckedFinding[] }).findings)]).toEqual([
    1,
    expect.arrayContaining(['diskFull'] satisfies ProblemName[]),
  ]);
});

test('every problem is told in sentences', () => {
  for (const [name, { says, means, todo }] of Object.entries(problems)) {
    for (const sentence of [means, todo])
      expect([name, sentence]).toEqual([name, expect.stringMatching(/^([A-Z0-9]|chmod|nginx).*\.$/)]);
    expect([name, says]).toEqual([name, expect.stringMatching(/[.}]$/)]);
  }
});

function run(
  program: string,
  given: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    execFile(program, given, { env, cwd: place }, (error, output) => {
      resolve({ code: error === null ? 0 : Number(error.code), output });
    });
  });
}
