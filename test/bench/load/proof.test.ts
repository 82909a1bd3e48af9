/** What the load tool proves by: signatures verified as a receiver demands, who has received what, what a report says. */
import { beforeAll, describe, expect, test } from 'vitest';
import { progressOn } from '../../../bench/load/command/terminal.ts';
import { assignBehaviours, behaviours } from '../../../bench/load/remote/behaviours.ts';
import { createKeys, type ServerKey } from '../../../bench/load/remote/keys.ts';
import { signedHeaders } from '../../../bench/load/remote/signing.ts';
import { type Demand, Verifier } from '../../../bench/load/remote/verification.ts';
import { reportPage } from '../../../bench/load/report/page.ts';
import { reportOf } from '../../../bench/load/report/report.ts';
import { Receipts } from '../../../bench/load/run/receipts.ts';
import { Recorder } from '../../../bench/load/run/recorder.ts';
import type { Usage } from '../../../bench/load/run/usage.ts';
import { readScenario } from '../../../bench/load/scenario/read-scenario.ts';
import { digestHeader } from '../../../src/outbound/signatures/digest.ts';
import { signForAll } from '../../../src/outbound/signatures/sign-request.ts';

describe('signatures that come back', () => {
  let rsa: ServerKey;
  let another: ServerKey;
  let ed25519: ServerKey;
  beforeAll(async () => {
    [rsa, another] = (await createKeys('rsa', 2)) as [ServerKey, ServerKey];
    [ed25519] = (await createKeys('ed25519', 1)) as [ServerKey];
  });
  const keyId = 'http://127.0.0.1/actor#main-key';
  const host = '127.1.0.1:8080';
  const body = Buffer.from('{"type":"Create"}');
  const url = new URL(`http://${host}/inbox`);

  const verify = (
    headers: Record<string, string>,
    demand: Demand,
    { sent = body, publicKeyPem = rsa.publicKeyPem } = {},
  ) => {
    const verifier = new Verifier(async (address) =>
      address === 'http://127.0.0.1/actor' ? { publicKey: { id: keyId, publicKeyPem } } : undefined,
    );
    const request = {
      method: 'POST',
      origin: url.origin,
      rawTarget: url.pathname,
      headers: new Map(Object.entries({ host, ...headers })),
      body: sent,
    };
    return verifier.verify(request, demand);
  };
  const forHost = () => signedHeaders('cavage', { url, body, keyId, privateKey: rsa.privateKey });
  const forAll = () =>
    signForAll({
      dateMilliseconds: Date.now(),
      digest: digestHeader(body),
      contentType: 'application/activity+json',
      keyId,
      privateKey: rsa.privateKey,
    });
  const message = (privateKey = rsa.privateKey) => signedHeaders('rfc9421', { url, body, keyId, privateKey });

  test('are taken as each receiver demands', async () => {
    expect(await verify(await forHost(), 'any')).toEqual({ ok: true, way: 'for the host' });
    expect(await verify(await forHost(), 'own host')).toEqual({ ok: true, way: 'for the host' });
    expect(await verify(await forHost(), 'rfc9421')).toEqual({ ok: false, why: 'draft-cavage is not taken' });
    expect(await verify(await forAll(), 'any')).toEqual({ ok: true, way: 'for all' });
    expect(await verify(await forAll(), 'own host')).toEqual({ ok: false, why: 'does not name this host' });
    expect(await verify(await message(), 'rfc9421')).toEqual({ ok: true, way: 'rfc9421' });
    const { publicKeyPem, privateKey } = ed25519;
    expect(await verify(await message(privateKey), 'any', { publicKeyPem })).toEqual({ ok: true, way: 'rfc9421' });
  });

  test.each([
    ['another body', () => ({ sent: Buffer.from('{"type":"Delete"}') }), 'digestMismatch'],
    ['another key', () => ({ publicKeyPem: another.publicKeyPem }), 'signature does not match'],
  ])('with %s are refused, signed for all or not', async (_what, wrong, why) => {
    for (const headers of [await forHost(), await forAll(), await message()])
      expect(await verify(headers, 'any', wrong())).toEqual({ ok: false, why });
  });

  test('that say nothing are refused, and what is verified once is not verified for other bytes', async () => {
    expect(await verify({}, 'any')).toEqual({ ok: false, why: 'unsigned or malformed' });
    const headers = await forAll();
    const verifier = new Verifier(async () => ({ publicKey: { id: keyId, publicKeyPem: rsa.publicKeyPem } }));
    const from = (more: Record<string, string>, sent = body) =>
      verifier.verify(
        {
          method: 'POST',
          origin: url.origin,
          rawTarget: '/inbox',
          headers: new Map(Object.entries({ host, ...headers, ...more })),
          body: sent,
        },
        'any',
      );
    expect(await from({})).toMatchObject({ ok: true });
    expect(from({ host: '127.1.0.2:8080' })).toMatchObject({ ok: true });
    expect(from({}, Buffer.from('{"type":"Flag"}'))).toMatchObject({ ok: false });
    expect(from({ date: new Date(0).toUTCString() })).toMatchObject({ ok: false });
    expect(from({ signature: headers.signature!.replace(/signature="../, 'signature="AA') })).toMatchObject({
      ok: false,
    });
  });
});

test('behaviours are spread as their shares say', () => {
  const assigned = assignBehaviours(100, { dead: 0.3, stalling: 0.1 });
  const counts = Object.fromEntries(behaviours.map((one) => [one, assigned.filter((other) => other === one).length]));
  expect(counts).toMatchObject({ healthy: 60, dead: 30, stalling: 10 });
  // Some of each in every part of them.
  expect(assigned.slice(0, 25)).toContain('dead');
  expect(assigned.slice(75)).toContain('dead');
});

test('who has received what: missing, doubled, out of the order of an author', () => {
  const recorder = new Recorder(() => 5);
  recorder.measure(0, 10);
  const receipts = new Receipts({ recorder, listeners: 2, posters: 2, everybodyGetsAll: true });
  for (const [number, poster] of [
    [100, 0],
    [101, 0],
    [102, 1],
    [103, 0],
  ] as const) {
    receipts.due(number, poster, 1);
    if (number !== 103) receipts.accepted(number);
  }
  const hear = (listener: number, ...numbers: number[]) => {
    for (const number of numbers) receipts.heard(listener, number, () => 'receipt');
  };
  hear(0, 100, 102, 101, 999);
  hear(1, 101, 100, 101);
  expect(receipts.facts((listener) => listener === 0)).toEqual({
    posts: 3,
    received: 3,
    missing: 0,
    doubled: 0,
    outOfOrder: 0,
  });
  expect(receipts.facts((listener) => listener === 1)).toEqual({
    posts: 3,
    received: 2,
    missing: 1,
    doubled: 1,
    outOfOrder: 1,
  });
  expect(recorder.latencies('receipt', 1)).toMatchObject({ count: 5, max: 4 });
});

describe('a report', () => {
  const quiet: Usage = {
    toolCpuSeconds: 1,
    toolBusiest: 0.2,
    loopDelayP99Milliseconds: 6,
    loopDelayMostMilliseconds: 20,
    serverCpuSeconds: undefined,
    serverMegabytesMost: undefined,
    serverMegabytesLast: undefined,
  };
  const of = (usage: Partial<Usage>) =>
    reportOf({
      scenario: readScenario('reading-evening'),
      server: 'http://127.0.0.1',
      seconds: 1,
      interrupted: false,
      recorder: new Recorder(() => 0),
      meter: { points: [], begin: () => undefined, endSecond: () => undefined, usage: () => ({ ...quiet, ...usage }) },
      parts: [],
    });

  test.each<[Partial<Usage>, RegExp]>([
    [{ toolBusiest: 0.95 }, /used 95 % of a core/],
    [{ loopDelayP99Milliseconds: 60 }, /woke up to 60 ms late/],
    [{ loopDelayMostMilliseconds: 900 }, /busy for 900 ms once/],
  ])('says that the tool itself was the limit: %j', (usage, sentence) => {
    const report = of(usage);
    expect(report.toolWasBottleneck).toBe(true);
    expect(report.warnings.join('\n')).toMatch(sentence);
    expect(reportPage(report)).toMatch(sentence);
  });

  test('of a quiet tool warns of nothing', () => {
    expect(of({})).toMatchObject({ toolWasBottleneck: false, warnings: [] });
  });
});

test('progress is one line on a terminal, and a line now and then elsewhere', () => {
  const shownOn = (isTTY: boolean) => {
    const written: string[] = [];
    const progress = progressOn({ isTTY, write: (text) => written.push(text) }, 60);
    progress.tell('asking');
    for (let second = 0; second <= 6; second += 1) progress.second({ second, done: second, failed: 0, busyShare: 0.1 });
    progress.end();
    return written;
  };
  expect(shownOn(true)).toHaveLength(9);
  expect(shownOn(true).every((text) => text.startsWith('\r\u001b[K') && !text.includes('\n'))).toBe(true);
  expect(shownOn(false)).toEqual([
    'asking\n',
    expect.stringMatching(/^0 of 60 s: .*\n$/),
    expect.stringMatching(/^5 of 60 s: 5 done, 0 failed; this tool uses 10 % of a core\n$/),
  ]);
});
