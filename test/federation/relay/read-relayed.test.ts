import { describe, expect, test } from 'vitest';
import type { Relayed, RelayFilter } from '../../../src/actors/relay/relay.records.ts';
import { readFetchedPost, readOffer, relayedOf } from '../../../src/federation/relay/read-relayed.ts';
import { passes } from '../../../src/federation/relay/relay-filter.ts';
import type { JsonObject } from '../../../src/outbound/fetcher/json.ts';

const toAll = 'https://www.w3.org/ns/activitystreams#Public';
const actor = 'https://there.example/users/alice';
const note = {
  id: `${actor}/1`,
  type: 'Note',
  attributedTo: actor,
  to: [toAll],
  published: '2026-01-02T03:04:05Z',
  contentMap: { 'de-AT': 'Servus' },
  tag: [
    { type: 'Hashtag', name: '#Wien' },
    { type: 'Mention', name: '@bob' },
  ],
  attachment: [{ type: 'Document' }],
  sensitive: true,
};
const signature = { type: 'RsaSignature2017', creator: `${actor}#main-key`, signatureValue: 'AA==' };
const create: JsonObject = { id: `${actor}/1/activity`, type: 'Create', actor, to: [toAll], object: note, signature };

describe('what is offered to a relay', () => {
  test('a post, with what filters look at', () => {
    expect(readOffer(create)).toEqual({
      type: 'Create',
      id: `${actor}/1/activity`,
      author: actor,
      object: `${actor}/1`,
      publishedAt: Date.parse('2026-01-02T03:04:05Z'),
      isPublic: true,
      isSigned: true,
      traits: { tags: ['wien'], language: 'de', hasMedia: true, isSensitive: true },
    });
  });

  test('a post that its own server shows', () => {
    expect(readFetchedPost(note)).toMatchObject({ type: 'Create', id: note.id, object: note.id, isSigned: false });
    expect(readFetchedPost({ ...note, attributedTo: 'https://else.example/users/eve' })).toBeUndefined();
  });

  test.each<[string, JsonObject]>([
    ['a report', { ...create, type: 'Flag' }],
    ['a like', { ...create, type: 'Like' }],
    ['an id of another host', { ...create, id: 'https://else.example/1' }],
    ['a post of another host', { ...create, object: { ...note, id: 'https://else.example/1' } }],
    ['the move of another', { ...create, type: 'Move', object: `${actor}2` }],
    ['no object', { ...create, object: null }],
  ])('nothing: %s', (_what, json) => {
    expect(readOffer(json)).toBeUndefined();
  });

  test.each<[string, JsonObject, boolean]>([
    ['for everybody', create, true],
    ['unlisted', { ...create, to: [], cc: [toAll] }, false],
    ['of which the post is not', { ...create, object: { ...note, to: [`${actor}/followers`] } }, false],
    ['in other words', { ...create, to: 'as:Public', object: { ...note, to: 'Public' } }, true],
    ['a Delete', { ...create, type: 'Delete', object: { id: note.id, type: 'Tombstone' } }, true],
  ])('an activity %s', (_what, json, isPublic) => {
    expect(readOffer(json)?.isPublic).toBe(isPublic);
  });

  test.each<[string, JsonObject]>([
    ['no signature', { ...create, signature: null }],
    ['one of another type', { ...create, signature: { ...signature, type: 'Ed25519Signature2018' } }],
    ['one without a value', { ...create, signature: { ...signature, signatureValue: null } }],
  ])('%s of its own', (_what, json) => {
    expect(readOffer(json)?.isSigned).toBe(false);
  });
});

describe('filters', () => {
  const relayed = relayedOf(readOffer(create)!, { from: 'there.example', body: undefined, isBot: false });
  const bot: Relayed = { ...relayed, traits: { ...relayed.traits, isBot: true } };
  const plain: Relayed = { ...relayed, traits: { tags: [], hasMedia: false, isSensitive: false, isBot: false } };
  const gone: Relayed = { ...plain, type: 'Delete' };

  test.each<[RelayFilter | undefined, Relayed, boolean]>([
    [undefined, relayed, true],
    [{}, plain, true],
    [{ tags: ['wien', 'graz'] }, relayed, true],
    [{ tags: ['graz'] }, relayed, false],
    [{ languages: ['de'] }, relayed, true],
    [{ languages: ['de'] }, plain, false],
    [{ mediaOnly: true }, relayed, true],
    [{ mediaOnly: true }, plain, false],
    [{ noBots: true }, relayed, true],
    [{ noBots: true }, bot, false],
    [{ noSensitive: true }, relayed, false],
    [{ onlyServers: ['there.example'] }, relayed, true],
    [{ onlyServers: ['example'] }, relayed, true],
    [{ onlyServers: ['here.example'] }, relayed, false],
    [{ exceptServers: ['there.example'] }, relayed, false],
    [{ exceptServers: ['re.example'] }, relayed, true],
    [{ tags: ['graz'], mediaOnly: true }, gone, true],
    [{ exceptServers: ['there.example'] }, gone, false],
  ])('%j', (filter, subject, isPassed) => {
    expect(passes(filter, subject, 'there.example')).toBe(isPassed);
  });
});
