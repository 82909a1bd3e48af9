/** Finding the account of an inbox that is gone (410). */
import { describe, expect, it } from 'vitest';
import { Account } from '../../src/actors/account/account.messages.ts';
import type { Intent } from '../../src/actors/intents.ts';
import { accountsAt } from '../../src/federation/delivery/gone-inbox.ts';
import { plainPost } from '../support/plain-post.ts';
import { home, InboundBed } from './inbound-bed.ts';

const host = 'remote.example';

/** Bob and carol follow alice; their server has no inbox for all, as that of GoToSocial. */
async function threePeople() {
  const bed = new InboundBed();
  const alice = await bed.local('alice');
  const ids: bigint[] = [];
  for (const name of ['bob', 'carol']) {
    const person = bed.person(host, name);
    const { endpoints: _none, ...document } = person.document;
    bed.web.set(person.uri, document);
    ids.push(await bed.know(person));
    await bed.send(person, person.activity('Follow', `${home}/users/alice`));
  }
  const [bob, carol] = ids as [bigint, bigint];
  const owners = (name: string, intent: Intent, followersOf?: bigint) =>
    accountsAt(bed.read, {
      host,
      inbox: `https://${host}/users/${name}/inbox`,
      entry: { intent, followersOf },
    }).map(({ id }) => id);
  return { bed, alice, bob, carol, owners };
}

describe('an inbox belongs to', () => {
  it('the follower who is reached there', async () => {
    const { alice, bob, carol, owners } = await threePeople();
    const intent: Intent = { kind: 'updateAccount', actorId: alice, activityId: 1n };
    expect(owners('bob', intent, alice)).toEqual([bob]);
    expect(owners('carol', intent, alice)).toEqual([carol]);
    expect(owners('dave', intent, alice)).toEqual([]);
    expect(owners('bob', intent)).toEqual([]);
  });

  it('the account that the activity is for', async () => {
    const { alice, bob, owners } = await threePeople();
    const act = { actorId: alice, activityId: 1n };
    const intents: Intent[] = [
      { kind: 'follow', ...act, targetId: bob, followId: 1n },
      { kind: 'like', ...act, statusId: 2n, favouriteId: 1n, authorId: bob },
    ];
    for (const intent of intents) {
      expect(owners('bob', intent)).toEqual([bob]);
      expect(owners('carol', intent)).toEqual([]);
    }
  });

  it('the account that a status mentions', async () => {
    const { bed, alice, bob, owners } = await threePeople();
    const mention = { id: bob, username: 'bob', acct: `bob@${host}`, url: `https://${host}/@bob` };
    const { statusId } = await bed.gateway.actors.call(
      Account.publish.to(
        alice,
        plainPost('hello', {
          visibility: 'direct',
          mentions: [{ mention, destination: { host, inbox: `https://${host}/users/bob/inbox` } }],
        }),
      ),
    );
    const intent: Intent = { kind: 'create', actorId: alice, activityId: statusId, statusId };
    expect(owners('bob', intent)).toEqual([bob]);
    expect(owners('carol', intent)).toEqual([]);
  });
});
