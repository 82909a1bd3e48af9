/** A host gets one request where one inbox reaches all that it is for, as from Mastodon and GoToSocial. */
import { describe, expect, it } from 'vitest';
import { deliveriesAfter, inboxesAt, visitHosts } from '../../src/actors/partition/deliveries.queries.ts';
import type { AccountCaller } from '../../src/operations/caller.ts';
import { reblogStatus } from '../../src/operations/interactions/reblog-status.ts';
import { unreblogStatus } from '../../src/operations/interactions/unreblog-status.ts';
import type { OperationContext } from '../../src/operations/operation.ts';
import { unlimited } from '../../src/operations/rate-limits.ts';
import { publishStatus } from '../../src/operations/statuses/publish-status.ts';
import { home, type InboundBed } from './inbound-bed.ts';
import { soundBed } from './sound-bed.ts';

/** The inboxes that get each kind of intent, in the order of the log. */
function inboxes(bed: InboundBed): [kind: string, inboxes: string[]][] {
  return bed.read.partitions
    .flatMap((partition) => deliveriesAfter(partition, 0, 100).map((delivery) => ({ partition, delivery })))
    .map(({ partition, delivery }) => {
      const addresses = delivery.single.map(({ inbox }) => inbox);
      visitHosts(delivery, (host) => {
        for (const { inbox } of inboxesAt(partition, delivery.followersOf!, host)) addresses.push(inbox);
      });
      return [delivery.intent.kind, addresses.sort()];
    });
}

async function scene() {
  const bed = soundBed();
  const alice = await bed.local('alice');
  const writer = bed.person('remote.example', 'writer');
  const fan = bed.person('remote.example', 'fan');
  for (const person of [writer, fan]) await bed.know(person);
  const context: OperationContext<AccountCaller> = {
    caller: { kind: 'account', accountId: alice, limits: unlimited },
    services: bed.gateway.services,
  };
  const post = (text: string, visibility: 'public' | 'direct' = 'public') =>
    publishStatus(context, { text, spoilerText: '', visibility });
  const shared = 'https://remote.example/inbox';
  return { bed, alice, writer, fan, context, post, shared };
}

it('a boost, and its Undo, goes to the author’s host once where somebody there follows', async () => {
  const { bed, alice, writer, fan, context, shared } = await scene();
  await bed.follow(alice, writer);
  await bed.send(fan, fan.activity('Follow', `${home}/users/alice`));
  await bed.send(writer, writer.create(writer.note('1')));
  const statusId = bed.stored(writer.note('1').id)!.id;
  await reblogStatus(context, { statusId });
  await unreblogStatus(context, { statusId });
  expect(inboxes(bed).filter(([kind]) => /announce/i.test(kind))).toEqual([
    ['announce', [shared]],
    ['undoAnnounce', [shared]],
  ]);
});

describe('a post for people of a host where nobody follows', () => {
  it.each([
    ['public', 'for several goes to the inbox that they share', '@writer@remote.example @fan@remote.example', 'inbox'],
    ['direct', 'for several goes to the inbox that they share', '@writer@remote.example @fan@remote.example', 'inbox'],
    ['direct', 'for one goes to the inbox of that one', '@writer@remote.example', 'users/writer/inbox'],
  ] as const)('%s %s', async (visibility, _what, text, path) => {
    const { bed, post } = await scene();
    await post(text, visibility);
    expect(inboxes(bed)).toEqual([['create', [`https://remote.example/${path}`]]]);
  });

  it('goes to each inbox where they share none, or another', async () => {
    const { bed, post } = await scene();
    const [carol, dave] = [
      bed.person('remote.example', 'carol', { endpoints: {} }),
      bed.person('remote.example', 'dave', { endpoints: { sharedInbox: 'https://remote.example/other' } }),
    ];
    for (const person of [carol, dave]) await bed.know(person);
    await post('@writer@remote.example @carol@remote.example @dave@remote.example');
    const personal = ['carol', 'dave', 'writer'].map((name) => `https://remote.example/users/${name}/inbox`);
    expect(inboxes(bed)).toEqual([['create', personal]]);
  });
});
