/** Which activities get a signature of their own: those that others pass on. */
import { generateKeyPairSync } from 'node:crypto';
import { expect, it } from 'vitest';
import type { Intent } from '../../../src/actors/intents.ts';
import { DocumentSigner } from '../../../src/federation/delivery/document-signer.ts';
import type { JsonObject } from '../../../src/outbound/fetcher/json.ts';

const actor = 'https://social.example/users/alice';
const everybody = 'https://www.w3.org/ns/activitystreams#Public';
const signer = {
  keyId: `${actor}#main-key`,
  privateKey: generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey,
};
const ids = { actorId: 1n, activityId: 2n, statusId: 3n };
const note = { id: `${actor}/statuses/3`, type: 'Note', attributedTo: actor, content: 'Hello' };
const answer = { ...note, inReplyTo: 'https://remote.example/notes/1' };

it.each<[string, Intent, object, string, readonly [boolean, boolean]]>([
  ['a post', { kind: 'create', ...ids }, note, everybody, [false, true]],
  ['an answer', { kind: 'create', ...ids }, answer, everybody, [true, true]],
  ['an edited answer', { kind: 'update', ...ids }, answer, everybody, [true, true]],
  [
    'a deletion',
    { kind: 'delete', ...ids, visibility: 'public' },
    { id: note.id, type: 'Tombstone' },
    everybody,
    [true, true],
  ],
  [
    'a profile',
    { kind: 'updateAccount', actorId: 1n, activityId: 2n },
    { id: actor, type: 'Person' },
    everybody,
    [false, true],
  ],
  [
    'an account that is gone',
    { kind: 'deleteAccount', actorId: 1n, activityId: 2n },
    { id: actor },
    everybody,
    [false, true],
  ],
  ['an answer for followers', { kind: 'create', ...ids }, answer, `${actor}/followers`, [false, false]],
  ['a like', { kind: 'like', ...ids, favouriteId: 4n, authorId: 5n }, answer, everybody, [false, false]],
])('%s', async (_what, intent, object, to, [alone, withRelays]) => {
  const activity = { id: `${note.id}/activity`, type: 'Create', actor, to: [to], object } as JsonObject;
  for (const hasRelays of [false, true]) {
    const hashes = async () => '00';
    const signed = new DocumentSigner(
      { hashes },
      () => 0,
      () => hasRelays,
    ).sign(intent, activity, signer);
    expect(signed !== undefined).toBe(hasRelays ? withRelays : alone);
    if (signed !== undefined) expect(await signed).toMatchObject({ ...activity, signature: { creator: signer.keyId } });
  }
});
