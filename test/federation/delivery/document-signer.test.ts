/** Which activities get a signature or a proof of their own: those that others may pass on. */
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
  proofKey: { id: `${actor}#ed25519-key`, privateKey: generateKeyPairSync('ed25519').privateKey },
};
const ids = { actorId: 1n, activityId: 2n, statusId: 3n };
const note = { id: `${actor}/statuses/3`, type: 'Note', attributedTo: actor, content: 'Hello' };
const answer = { ...note, inReplyTo: 'https://remote.example/notes/1' };

const [signature, proof] = ['signature', 'proof'] as const;

it.each<[string, Intent, object, string, readonly [string[], string[]]]>([
  ['a post', { kind: 'create', ...ids }, note, everybody, [[proof], [proof, signature]]],
  ['an answer', { kind: 'create', ...ids }, answer, everybody, [[signature], [signature]]],
  ['an edited answer', { kind: 'update', ...ids }, answer, everybody, [[signature], [signature]]],
  [
    'a deletion',
    { kind: 'delete', ...ids, visibility: 'public' },
    { id: note.id, type: 'Tombstone' },
    everybody,
    [[signature], [signature]],
  ],
  [
    'a profile',
    { kind: 'updateAccount', actorId: 1n, activityId: 2n },
    { id: actor, type: 'Person' },
    everybody,
    [[proof], [proof, signature]],
  ],
  [
    'an account that is gone',
    { kind: 'deleteAccount', actorId: 1n, activityId: 2n },
    { id: actor },
    everybody,
    [[proof], [proof, signature]],
  ],
  ['an answer for followers', { kind: 'create', ...ids }, answer, `${actor}/followers`, [[], []]],
  ['a like', { kind: 'like', ...ids, favouriteId: 4n, authorId: 5n }, answer, everybody, [[], []]],
])('%s', async (_what, intent, object, to, [alone, withRelays]) => {
  const activity = { id: `${note.id}/activity`, type: 'Create', actor, to: [to], object } as JsonObject;
  for (const hasRelays of [false, true]) {
    const hashes = async () => '00';
    const signed = new DocumentSigner(
      { hashes },
      () => 0,
      () => hasRelays,
    ).sign(intent, activity, signer);
    const made = (await signed) ?? activity;
    expect(Object.keys(made).filter((name) => name === 'signature' || name === 'proof')).toEqual(
      hasRelays ? withRelays : alone,
    );
    expect(made).toMatchObject(activity);
  }
});
