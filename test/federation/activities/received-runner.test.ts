/** Activities that need a fetch: those of one host do not delay those of another. */
import { expect, it, vi } from 'vitest';
import type { Received } from '../../../src/actors/domain/domain.messages.ts';
import type { Inbound, RemoteSource } from '../../../src/federation/activities/inbound.ts';
import { KnownAccounts } from '../../../src/federation/known-accounts.ts';
import { activityLimits } from '../../../src/federation/limits.ts';
import { HostTurns } from '../../../src/federation/remote-objects/host-turns.ts';
import { ReceivedRunner } from '../../../src/federation/remote-objects/received-runner.ts';
import type { RemoteStatuses } from '../../../src/federation/remote-objects/remote-statuses.ts';
import { domainPolicy } from '../../../src/services/domain-policy.ts';
import { only } from '../../support/only.ts';
import { aliceFollowsBob, InboundBed, type RemotePerson } from '../inbound-bed.ts';

function inboundOf({ gateway: { services }, read }: InboundBed): Inbound {
  const accounts = new KnownAccounts(services);
  const { addresses, options, client, cleanHtml, now } = services;
  return {
    addresses,
    options,
    client,
    cleanHtml,
    snapshots: read,
    now,
    accounts,
    policy: () => domainPolicy(services),
  };
}

it('a host that answers nothing leaves room for the activities of others', async () => {
  const bed = new InboundBed();
  const alice = await bed.local('alice');
  const [mallory, bob] = [bed.person('slow.example', 'mallory'), bed.person('remote.example', 'bob')];
  for (const person of [mallory, bob]) await bed.follow(alice, person);
  const asked: string[] = [];
  const source: RemoteSource = {
    note: () => Promise.resolve(undefined),
    quoted: () => Promise.resolve(undefined),
    quoteAuthorization: () => Promise.resolve(undefined),
    replyAuthorization: () => Promise.resolve(undefined),
    collection: () => Promise.resolve(undefined),
    featureAuthorization: () => Promise.resolve(undefined),
    account: () => Promise.resolve(undefined),
    status(uri) {
      asked.push(uri);
      return uri.startsWith('https://slow.example/') ? new Promise(() => undefined) : Promise.resolve(undefined);
    },
  };
  const statuses = only<RemoteStatuses>('statuses', { source: () => source });
  const runner = new ReceivedRunner(inboundOf(bed), statuses, ({ message }) => expect.fail(message));
  const boost = (person: RemotePerson, number: number): Received => {
    const announce = person.activity('Announce', `https://${person.host}/notes/${number}`);
    return { activity: JSON.stringify(announce), signerUri: person.uri, receivedAt: bed.now, attempt: 1 };
  };
  for (let number = 0; number < 2 * activityLimits.processedAtOnceMax; number += 1)
    void runner.run(boost(mallory, number));
  expect(await runner.run(boost(bob, 1))).toEqual({});
  expect(asked.at(-1)).toBe('https://remote.example/notes/1');
  expect(asked).toHaveLength(activityLimits.processedAtOncePerHostMax + 1);
});

it('what came in a traced request is applied in its trace', async () => {
  const { bed, bob } = await aliceFollowsBob();
  const statuses = only<RemoteStatuses>('statuses', { source: () => only<RemoteSource>('source', {}) });
  const runner = new ReceivedRunner(inboundOf(bed), statuses, ({ message }) => expect.fail(message));
  const call = vi.spyOn(bed.gateway.services.client, 'call');
  const activity = JSON.stringify(bob.create(bob.note('1')));
  await runner.run({ activity, signerUri: bob.uri, receivedAt: bed.now, attempt: 1 }, 'request-1');
  expect(call.mock.calls.map(([, flow]) => flow)).toEqual([{ flow: 'domain:remote.example', cause: 'request-1' }]);
});

it('those who wait come one host after the other, within the bounds of all and of each', async () => {
  const turns = new HostTurns({ runningMax: 3, perHostMax: 2 });
  const entered: string[] = [];
  const enter = (host: string) => turns.enter(host).then(() => void entered.push(host));
  const leave = async (host: string) => {
    turns.leave(host);
    await Promise.resolve();
    await Promise.resolve();
  };
  for (const host of ['a', 'a', 'a', 'a', 'b', 'b', 'c']) void enter(host);
  await Promise.resolve();
  await Promise.resolve();
  expect(entered.join('')).toBe('aab');
  await leave('a');
  expect(entered.join('')).toBe('aaba');
  await leave('a');
  expect(entered.join('')).toBe('aabab');
  await leave('b');
  expect(entered.join('')).toBe('aababc');
  for (const host of ['a', 'b', 'c']) await leave(host);
  expect(entered.join('')).toBe('aababca');
});
