/** Subscribed blocklists whose servers, or whose readers, fail: nothing of them is lost, and nothing is made twice. */
import { describe, expect, test } from 'vitest';
import { findDomainBlock } from '../../../../src/actors/instance/domains/domains.queries.ts';
import { instanceLimits } from '../../../../src/actors/instance/limits.ts';
import { domainListRunner } from '../../../../src/operations/domain-lists/domain-list-runner.ts';
import { csv, header, hourMilliseconds, ListBed } from './list-bed.ts';

const bed = new ListBed();
const { served, ask, ruleFor, address, read, readWhenDue, subscribed } = bed;

describe('a list that looks damaged is not followed, and says why', () => {
  const names = Array.from({ length: 10 }, (_, index) => `n${index}.example,suspend,,,,`);

  test.each<[string, string | Buffer, { type?: string; status?: number; location?: string }]>([
    ['empty', header, {}],
    ['shrunk', csv(...names.slice(0, 4)), {}],
    ['page', '<!DOCTYPE html><p>Sign in', {}],
    ['page', csv(...names), { type: 'text/html; charset=utf-8' }],
    ['notText', Buffer.from([...Buffer.from(csv(...names)), 0xff, 0xfe]), {}],
    ['unreadable', csv(...names.slice(0, 6), ...names.map((name) => `not ${name}`)), {}],
    ['tooLarge', `${'x.example\n'.repeat(instanceLimits.domainListRowsMax + 1)}`, {}],
    ['tooLarge', `#${'x'.repeat(instanceLimits.domainListBytesMax)}`, {}],
    ['notFound', '', { status: 404 }],
    ['refused', '', { status: 403 }],
    ['unreachable', '', { status: 500 }],
    ['address', '', { status: 302, location: 'http://127.0.0.1:6379/list.csv' }],
    ['invalid', '', { status: 302, location: '/list.csv' }],
  ])('%s', async (problem, body, more) => {
    const id = await subscribed('/list.csv', csv(...names), { mode: 'apply' });
    served.set('/list.csv', { body, ...more });
    await readWhenDue(id);
    const { body: list } = await ask('GET', `/${id}`);
    expect(list).toMatchObject({ problem, failures_count: 1, in_force_count: 10, domains_count: 10 });
    expect(ruleFor('n7.example')).toBeDefined();
    served.set('/list.csv', { body: csv(...names, 'new.example,silence,,,,') });
    bed.network.clock.milliseconds += hourMilliseconds;
    await readWhenDue(id);
    expect((await ask('GET', `/${id}`)).body).toMatchObject({ problem: null, failures_count: 0, in_force_count: 11 });
  });

  test('unless staff accept that it has shrunk', async () => {
    const id = await subscribed('/list.csv', csv(...names), { mode: 'apply' });
    served.set('/list.csv', { body: header });
    await ask('POST', `/${id}/fetch`, { accept_shrunk: true });
    await read();
    expect((await ask('GET', `/${id}`)).body).toMatchObject({ problem: null, in_force_count: 0, domains_count: 0 });
    expect(ruleFor('n1.example')).toBeUndefined();
  });

  test('and is tried again ever later, up to its interval', async () => {
    const id = await subscribed('/missing.csv', '', { interval_hours: 2 });
    served.delete('/missing.csv');
    const pauses: number[] = [];
    for (let failures = 0; failures < 6; failures += 1) {
      await ask('POST', `/${id}/fetch`);
      await read();
      const { next_read_at: next } = (await ask<{ next_read_at: string }>('GET', `/${id}`)).body;
      pauses.push((Date.parse(next) - bed.gateway.actors.clock.now()) / hourMilliseconds);
    }
    for (const [index, hours] of [0.5, 1, 2, 2, 2, 2].entries()) {
      expect(pauses[index]).toBeGreaterThanOrEqual(hours);
      expect(pauses[index]).toBeLessThanOrEqual(hours * 1.1);
    }
  });
});

test('a reading that is cut off takes each row over once', async () => {
  const count = 2.5 * instanceLimits.domainListRowsPerTurn;
  const rows = Array.from({ length: count }, (_, index) => `n${index}.example,silence,,,,`);
  served.set('/list.csv', { body: csv(...rows) });
  const { body: list } = await ask('POST', '', { url: address('/list.csv'), mode: 'apply' });
  let calls = 0;
  const { client, ...others } = bed.gateway.services;
  const dying = {
    call: async (...call: Parameters<typeof client.call>) => {
      calls += 1;
      if (calls === 2) throw new Error('the thread is gone');
      return client.call(...call);
    },
  } as typeof client;
  const [asked] = bed.gateway.actors.effects;
  const [, runner] = domainListRunner({ ...bed.gateway.services, ...others, client: dying }, bed.network.fetcher);
  await expect(runner(asked!.request)).rejects.toThrow('the thread is gone');
  expect((await ask('GET', `/${list.id}`)).body).toMatchObject({
    in_force_count: instanceLimits.domainListRowsPerTurn,
  });
  await read();
  expect((await ask('GET', `/${list.id}`)).body).toMatchObject({
    ...{ in_force_count: count, reading: false },
    last_changes: { added: count, changed: 0, removed: 0, suggested: 0 },
  });
  const made = bed.gateway.actors.read;
  expect(rows.every((_row, index) => findDomainBlock(made, `n${index}.example`) !== undefined)).toBe(true);
});

test.each<[string, string, string[]]>([
  ['plain', 'text/plain', ['one.example # rude', '', '# two.example', 'THREE.example']],
  [
    'json',
    'application/json',
    [
      JSON.stringify([
        { domain: 'one.example', digest: 'x', severity: 'suspend', comment: 'Rude' },
        { domain: 'th**e.example', severity: 'suspend' },
        { domain: 'three.example', silenced_at: '2025-01-01T00:00:00.000Z', public_comment: 'Loud' },
        { domain: 7 },
      ]),
    ],
  ],
])('a list in the form %s', async (format, type, lines) => {
  served.set('/list', { body: lines.join('\r\n'), type });
  await ask('POST', '', { url: address('/list'), mode: 'apply', format });
  await read();
  expect(ruleFor('one.example')).toMatchObject({ severity: 'suspend' });
  expect(ruleFor('three.example')).toMatchObject({ severity: format === 'json' ? 'silence' : 'suspend' });
  expect(ruleFor('two.example')).toBeUndefined();
});
