/** The lists of who may sign up or come at all: how they are stored, and how a thread follows their changes. */
import { beforeEach, describe, expect, test } from 'vitest';
import { auditPage } from '../../../src/actors/audit.queries.ts';
import { keyspaces } from '../../../src/actors/catalogue.ts';
import {
  accessBlocksPage,
  accessBlockWithId,
  addressList,
  emailDomainList,
  findAccessBlock,
} from '../../../src/actors/instance/access/access.queries.ts';
import type { AddressBlock } from '../../../src/actors/instance/access/access.records.ts';
import { instanceActor } from '../../../src/actors/instance/instance.actor.ts';
import { Instance, instanceKey } from '../../../src/actors/instance/instance.messages.ts';
import { addressBlocksOf } from '../../../src/services/address-blocks.ts';
import { EventHub } from '../../../src/services/event-hub.ts';
import { Members } from '../../../src/services/members.ts';
import { createTestServer, type TestServer } from '../../support/actors.ts';

let server: TestServer;
const content = { range: '10.0.0.0/8', severity: 'no_access', comment: '' } as const;
const block = (given: Partial<Omit<AddressBlock, 'id' | 'createdAt'>> = {}) =>
  server.call(Instance.blockAddress.to(instanceKey, { ...content, ...given }));

beforeEach(() => {
  server = createTestServer({ actors: [instanceActor], keyspaces });
});

test('what is blocked already stays', async () => {
  const first = (await block())!;
  expect(await block({ severity: 'sign_up_block' })).toBeUndefined();
  expect(findAccessBlock(server.read, addressList, '10.0.0.0/8')).toEqual(first);
  await server.call(Instance.unblockAddress.to(instanceKey, { blockId: first.id }));
  expect(accessBlocksPage(server.read, addressList, { limit: 5 }).items).toEqual([]);
  await expect(server.call(Instance.unblockAddress.to(instanceKey, { blockId: first.id }))).rejects.toMatchObject({
    code: 'notFound',
  });
});

test('a block moves to another range that is free', async () => {
  const first = (await block())!;
  await block({ range: '10.1.0.0/16' });
  const change = (range: string) =>
    server.call(Instance.changeAddressBlock.to(instanceKey, { blockId: first.id, content: { ...content, range } }));
  expect(await change('10.1.0.0/16')).toBeUndefined();
  expect(await change('10.2.0.0/16')).toEqual({ ...first, range: '10.2.0.0/16' });
  expect(findAccessBlock(server.read, addressList, '10.0.0.0/8')).toBeUndefined();
  expect(accessBlockWithId(server.read, addressList, first.id)?.range).toBe('10.2.0.0/16');
});

test('a block ends at its time, which may be moved meanwhile', async () => {
  const expiresAt = server.clock.now() + 1_000;
  const { id: blockId } = (await block({ expiresAt }))!;
  await block({ range: '11.0.0.0/8', expiresAt });
  const later = { ...content, expiresAt: expiresAt + 5_000 };
  await server.call(Instance.changeAddressBlock.to(instanceKey, { blockId, content: later }));
  server.clock.advance(2_000);
  const ranges = () => accessBlocksPage(server.read, addressList, { limit: 5 }).items.map(({ range }) => range);
  expect(ranges()).toEqual(['10.0.0.0/8']);
  server.clock.advance(5_000);
  expect(ranges()).toEqual([]);
  const written = auditPage(server.read, { by: 'server' }, { limit: 5 }).items;
  expect(written.map(({ action, name }) => [action, name])).toEqual([
    ['unblockAddress', '10.0.0.0/8'],
    ['unblockAddress', '11.0.0.0/8'],
  ]);
});

test('attempts with a domain are counted by day and by address, for seven days', async () => {
  await server.call(Instance.blockEmailDomain.to(instanceKey, { domain: 'spam.example', allowWithApproval: true }));
  const tried = (day: number, seen: string) =>
    server.call(Instance.emailDomainTried.to(instanceKey, { domain: 'spam.example', seen, day }));
  for (const seen of ['a', 'b', 'a']) await tried(100, seen);
  await tried(104, 'a');
  const attempts = () => findAccessBlock(server.read, emailDomainList, 'spam.example')!.attempts;
  expect(attempts()).toEqual([
    { day: 104, uses: 1, addresses: 1 },
    { day: 100, uses: 3, addresses: 2 },
  ]);
  await tried(107, 'a');
  expect(attempts().map(({ day }) => day)).toEqual([107, 104]);
  await server.call(Instance.emailDomainTried.to(instanceKey, { domain: 'other.example', seen: 'a', day: 1 }));
  expect(findAccessBlock(server.read, emailDomainList, 'other.example')).toBeUndefined();
});

describe('a thread', () => {
  test('sees each change at its next question', async () => {
    const events = new EventHub();
    server.watch(
      (batch) => events.dispatch(batch, []),
      () => events.dispatchLoss(),
    );
    const blocks = addressBlocksOf({ snapshots: server.read, events, members: new Members() });
    const bars = (ip: string) => blocks.bars({ ip });
    expect(bars('10.1.2.3')).toBe(false);
    const { id: blockId } = (await block())!;
    expect([bars('10.1.2.3'), bars('10.1.2.3'), bars('11.1.2.3')]).toEqual([true, true, false]);
    const milder = { ...content, severity: 'sign_up_block' } as const;
    await server.call(Instance.changeAddressBlock.to(instanceKey, { blockId, content: milder }));
    expect([bars('10.1.2.3'), blocks.severityOf('10.1.2.3')]).toEqual([false, 'sign_up_block']);
    await block({ range: '10.1.2.0/24' });
    expect([bars('10.1.2.3'), bars('10.1.3.3')]).toEqual([true, false]);
    events.dispatchLoss();
    expect([bars('10.1.2.3'), bars('10.1.3.3')]).toEqual([true, false]);
    await server.call(Instance.unblockAddress.to(instanceKey, { blockId }));
    expect(blocks.severityOf('10.1.3.3')).toBeUndefined();
  });

  test('asks for no address while nobody is barred', async () => {
    const blocks = addressBlocksOf({ snapshots: server.read, events: new EventHub(), members: new Members() });
    await block({ severity: 'sign_up_block' });
    const client = {
      get ip(): string {
        throw new Error('not needed');
      },
    };
    expect(blocks.bars(client)).toBe(false);
  });
});
