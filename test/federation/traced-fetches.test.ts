/** What is fetched for a traced request is stored in its trace: a search for its id tells the whole way of a post. */
import { expect, it, vi } from 'vitest';
import { Account } from '../../src/actors/account/account.messages.ts';
import { Directory } from '../../src/actors/directory/directory.messages.ts';
import { Domain } from '../../src/actors/domain/domain.messages.ts';
import { traced } from '../../src/runtime/flow.ts';
import { aliceFollowsBob, type InboundBed } from './inbound-bed.ts';

/** Messages and the requests that caused them, from now on. */
function messagesOf(bed: InboundBed): () => (readonly [message: string | undefined, cause: string | undefined])[] {
  const calls = [bed.gateway.services, bed.network].map(({ client }) => vi.spyOn(client, 'call'));
  const names = new Map(
    [Account, Directory, Domain].flatMap((contract) =>
      Object.values(contract).map((message) =>
        'number' in message ? [`${message.kind}.${message.number}`, message.name] : ['', ''],
      ),
    ) as [string, string][],
  );
  return () =>
    calls.flatMap(({ mock }) =>
      mock.calls.map(([{ kind, message }, flow]) => [
        names.get(`${kind}.${message}`),
        typeof flow === 'string' ? undefined : flow.cause,
      ]),
    );
}

function shown(bed: InboundBed, note: Record<string, unknown>): string {
  bed.web.set(String(note.id), note as never);
  return String(note.id);
}

it('a parent, what is quoted, and their authors', async () => {
  const { bed, bob } = await aliceFollowsBob();
  const [carol, dave] = [bed.person('there.example', 'carol'), bed.person('elsewhere.example', 'dave')];
  const parent = shown(bed, carol.note('parent'));
  const quoted = shown(bed, dave.note('quoted'));
  const messages = messagesOf(bed);
  await bed.send(bob, bob.create(bob.note('1', { inReplyTo: parent, quoteUrl: quoted })));
  const causes = new Set(messages().map(([, cause]) => cause));
  expect(messages().map(([message]) => message)).toEqual(
    expect.arrayContaining(['received', 'learn', 'receiveStatus', 'learn', 'receiveStatus', 'receiveStatus']),
  );
  expect([...causes]).toEqual([expect.stringMatching(/^[\da-f]{12}-/)]);
});

it.each<[string, (bed: InboundBed) => Promise<unknown>, string]>([
  [
    'a status by its address, and its author',
    (bed) => {
      const address = shown(bed, bed.person('there.example', 'carol').note('1'));
      return bed.gateway.services.resolver.resolveAddress(address, 1_000, { cause: 'request-1' });
    },
    'receiveStatus',
  ],
  [
    'an account by its handle',
    (bed) => {
      bed.person('there.example', 'carol');
      return bed.gateway.services.resolver.resolveHandle('carol@there.example', 1_000, 'request-1');
    },
    'learn',
  ],
  [
    'accounts that a post mentions',
    (bed) => {
      bed.person('there.example', 'carol');
      return bed.gateway.services.resolver.resolveHandles(['carol@there.example'], 1_000, 'request-1');
    },
    'learn',
  ],
  [
    'the owner of a key',
    (bed) => bed.gateway.services.resolver.findKeyOwner(bed.person('there.example', 'carol').keyId, true, 'request-1'),
    'learn',
  ],
])('%s', async (_what, ask, stored) => {
  const { bed } = await aliceFollowsBob();
  const messages = messagesOf(bed);
  await ask(bed);
  expect(messages().at(-1)).toEqual([stored, 'request-1']);
  expect(new Set(messages().map(([, cause]) => cause))).toEqual(new Set(['request-1']));
});

it('pins, and the statuses that they are', async () => {
  const { bed } = await aliceFollowsBob();
  const featured = 'https://there.example/users/carol/featured';
  const carol = bed.person('there.example', 'carol', { featured });
  const carolId = await bed.know(carol);
  bed.web.set(featured, { id: featured, type: 'OrderedCollection', orderedItems: [shown(bed, carol.note('1'))] });
  const messages = messagesOf(bed);
  const refresh = Account.refreshPins.to(carolId, { ageMilliseconds: 0 });
  await bed.gateway.services.client.call(refresh, traced('account:1', 'request-1'));
  await bed.runEffects();
  expect(messages()).toEqual(['refreshPins', 'receiveStatus', 'receivePins'].map((message) => [message, 'request-1']));
});
