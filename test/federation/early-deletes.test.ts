/** A Delete that overtakes the Create of somebody who is not known here. */
import { expect, it } from 'vitest';
import { EarlyDeletes } from '../../src/federation/inbox/early-deletes.ts';
import type { InboxRequest } from '../../src/federation/inbox/inbox-request.ts';
import { activityLimits } from '../../src/federation/limits.ts';
import { only } from '../support/only.ts';
import { home, InboundBed, type RemotePerson } from './inbound-bed.ts';

async function stranger() {
  const bed = new InboundBed();
  await bed.local('alice');
  const bob = bed.person('remote.example', 'bob');
  const note = (name: string) => bob.note(name, { cc: [`${home}/users/alice`] });
  const remove = (by: RemotePerson, name: string) => by.activity('Delete', { id: note(name).id, type: 'Tombstone' });
  return { bed, bob, note, remove };
}

it('counts, and fetches nothing before the Create has come', async () => {
  const { bed, bob, note, remove } = await stranger();
  expect(await bed.send(bob, remove(bob, 'gone'))).toBe(202);
  expect([bed.asked, bed.accountOf(bob.uri)]).toEqual([[], undefined]);
  for (const name of ['gone', 'kept']) expect(await bed.send(bob, bob.create(note(name)))).toBe(202);
  expect([bed.stored(note('gone').id), bed.stored(note('kept').id)?.content]).toEqual([undefined, '<p>kept</p>']);
});

it('counts also where another activity made the author known', async () => {
  const { bed, bob, note, remove } = await stranger();
  await bed.send(bob, remove(bob, 'gone'));
  await bed.know(bob);
  await bed.send(bob, bob.create(note('gone')));
  expect(bed.stored(note('gone').id)).toBeUndefined();
});

it('by somebody else, or with a signature that does not fit, deletes nothing', async () => {
  const { bed, bob, note, remove } = await stranger();
  const mallory = bed.person('remote.example', 'mallory');
  await bed.send(mallory, remove(mallory, 'one'));
  const forged = { ...remove(bob, 'two') };
  await bed.send(mallory, forged);
  await bed.send(bob, { ...forged, id: `${bob.uri}#other` }, { body: JSON.stringify(forged) });
  for (const name of ['one', 'two']) await bed.send(bob, bob.create(note(name)));
  expect([bed.stored(note('one').id), bed.stored(note('two').id)]).toEqual([
    expect.objectContaining({ content: '<p>one</p>' }),
    expect.objectContaining({ content: '<p>two</p>' }),
  ]);
});

it('of an account, or of what is on another host, is not kept', async () => {
  const { bed, bob, note } = await stranger();
  await bed.send(bob, bob.activity('Delete', bob.uri));
  await bed.send(bob, bob.activity('Delete', 'https://other.example/notes/1'));
  await bed.send(bob, bob.create(note('kept')));
  expect(bed.stored(note('kept').id)).toBeDefined();
});

it('waits among so many, of one host and of one author', () => {
  const { earlyDeletesMax, earlyDeletesPerActorMax, earlyDeletesPerHostMax } = activityLimits;
  const early = new EarlyDeletes();
  const request = only<InboxRequest>('request', {});
  const actor = (name: number, host = 'loud.example') => `https://${host}/users/${name}`;
  for (let times = 0; times < 2 * earlyDeletesPerActorMax; times += 1) early.keep(actor(0), request);
  for (let name = 1; name < 2 * earlyDeletesPerHostMax; name += 1) early.keep(actor(name), request);
  const ofHost = earlyDeletesPerHostMax - earlyDeletesPerActorMax;
  expect([early.take(actor(ofHost))?.length, early.take(actor(ofHost + 1))]).toEqual([1, undefined]);
  for (let name = 0; name < earlyDeletesMax; name += 1) early.keep(actor(name, `host-${name}.example`), request);
  expect([early.take(actor(0)), early.take(actor(0, 'host-0.example'))?.length]).toEqual([undefined, 1]);
});
