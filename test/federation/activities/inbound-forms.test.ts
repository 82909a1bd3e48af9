/** Properties in each form that JSON-LD allows: one value or many, an id or an object, in the language of a map. */
import { describe, expect, it } from 'vitest';
import type { Activity } from '../../../src/federation/documents/acts.ts';
import { readActivity } from '../../../src/federation/documents/read-activity.ts';
import type { RemoteNote } from '../../../src/federation/documents/read-note.ts';
import type { JsonObject } from '../../../src/outbound/fetcher/json.ts';
import { home, InboundBed } from '../inbound-bed.ts';

const bob = 'https://remote.example/users/bob';
const alice = `${home}/users/alice`;
const parent = 'https://third.example/notes/9';
const base = { id: 'https://remote.example/notes/1', type: 'Note', attributedTo: bob, content: '<p>Hello</p>' };

function actsOf(activity: object): Activity['acts'] {
  return (readActivity({ id: 'https://remote.example/a/1', actor: bob, ...activity } as JsonObject) as Activity).acts;
}

describe('a note with', () => {
  it.each<[string, object, Partial<RemoteNote>]>([
    ['no context', {}, {}],
    ['a context as an address', { '@context': 'https://www.w3.org/ns/activitystreams' }, {}],
    ['a context as an object', { '@context': { '@vocab': 'https://www.w3.org/ns/activitystreams#' } }, {}],
    ['a list of types', { type: ['https://remote.example/ns#Toot', 'Note'] }, {}],
    ['a fragment in its id', { id: 'https://remote.example/page#1' }, { uri: 'https://remote.example/page#1' }],
    ['its author whole', { attributedTo: { id: bob, type: 'Person' } }, { authors: [bob] }],
    ['a list of authors', { attributedTo: [{ id: bob }, `${bob}by`] }, { authors: [bob, `${bob}by`] }],
    ['an addressee as a string', { to: alice, cc: null }, { to: [alice], cc: [] }],
    ['an addressee as an object', { to: { id: alice, type: 'Person' } }, { to: [alice], cc: [] }],
    ['its parent in a list', { inReplyTo: [parent] }, { inReplyTo: parent }],
    ['its parent whole', { inReplyTo: { id: parent, type: 'Note' } }, { inReplyTo: parent }],
    ['an empty list of parents', { inReplyTo: [] }, { inReplyTo: undefined }],
    ['a parent that is no address', { inReplyTo: '' }, { inReplyTo: undefined }],
    [
      'a content by language alone',
      { content: null, contentMap: { de: 'Hallo' } },
      { content: 'Hallo', language: 'de' },
    ],
    ['a warning by language alone', { summary: null, summaryMap: { de: 'Ach' } }, { spoilerText: 'Ach' }],
    ['a warning in HTML', { summary: '<p>a &amp; b</p>' }, { spoilerText: 'a & b' }],
    ['a truth as a word', { sensitive: 'true' }, { sensitive: true }],
    [
      'a name, no text and no parent',
      { content: null, name: 'A cat', inReplyTo: null },
      { content: '', isVote: false },
    ],
    ['nothing in place of lists', { tag: null, attachment: null, url: null, sensitive: null }, { sensitive: false }],
    ['one tag that is no list', { tag: { type: ['Hashtag'], name: 'cats' } }, { hashtags: ['cats'] }],
    ['its page in a list', { url: ['https://remote.example/@bob/1'] }, { url: 'https://remote.example/@bob/1' }],
    [
      'its quote whole',
      { quote: { id: parent, type: 'Note' } },
      { quote: { uri: parent, authorization: undefined, isLegacy: false } },
    ],
    ['a quote that is gone', { quote: { type: 'Tombstone' } }, { quote: undefined }],
  ])('%s is read', (_form, more, expected) => {
    const [act] = actsOf({ type: 'Create', object: { ...base, ...more } });
    expect(act).toMatchObject({
      kind: 'publish',
      note: { uri: base.id, authors: [bob], content: base.content, ...expected },
    });
  });
});

describe('an audience', () => {
  const everybody = 'https://www.w3.org/ns/activitystreams#Public';
  it.each<[string, object, object, object]>([
    ['of the activity alone', { to: [everybody], cc: [alice] }, {}, { to: [everybody], cc: [alice] }],
    ['of either half', { to: [everybody], cc: [alice] }, { cc: [parent] }, { to: [everybody], cc: [parent] }],
    ['where the other is nothing', { to: [everybody] }, { to: null, cc: [alice] }, { to: [everybody], cc: [alice] }],
    ['where the other is empty', { to: [everybody] }, { to: [], cc: [alice] }, { to: [], cc: [alice] }],
  ])('%s is that of the note', (_form, ofActivity, ofNote, audience) => {
    expect(actsOf({ type: 'Create', ...ofActivity, object: { ...base, ...ofNote } })).toMatchObject([
      { note: audience },
    ]);
  });
});

describe('an activity with', () => {
  const like = { kind: 'like', uri: `${alice}/statuses/1` };
  it.each<[string, object, unknown[]]>([
    ['its actor whole', { type: 'Like', actor: { id: bob, type: 'Person' }, object: like.uri }, [like]],
    ['its actor in a list', { type: 'Like', actor: [bob], object: like.uri }, [like]],
    ['its object in a list', { type: 'Like', object: [like.uri] }, [like]],
    ['its object as a link', { type: 'Like', object: { type: 'Link', href: like.uri } }, [like]],
    ['no id', { id: null, type: 'Like', object: like.uri }, [like]],
    [
      'the reaction of Misskey',
      { type: 'Like', object: like.uri, content: ':fox:', _misskey_reaction: ':fox:' },
      [like],
    ],
    [
      'a tombstone of an older protocol',
      { type: 'Delete', object: { id: base.id, type: 'Tombstone', atomUri: base.id } },
      [{ kind: 'delete', uri: base.id }],
    ],
    [
      'the whole actor, deleted',
      { type: 'Delete', object: { id: bob, type: 'Person' } },
      [{ kind: 'delete', uri: bob }],
    ],
    [
      'both ends of a move whole',
      { type: 'Move', object: { id: bob }, target: { id: `${bob}by`, type: 'Person' } },
      [{ kind: 'move', target: `${bob}by` }],
    ],
    [
      'its collection whole',
      { type: 'Add', object: base.id, target: { id: `${bob}/featured`, type: 'OrderedCollection' } },
      [{ kind: 'pin', uri: base.id, collection: `${bob}/featured` }],
    ],
    ['the reaction of Pleroma', { type: 'EmojiReact', object: like.uri, content: '🦊' }, [like]],
    [
      'its Undo',
      { type: 'Undo', object: { type: 'EmojiReact', id: 'https://remote.example/a/0', object: like.uri } },
      [{ kind: 'undoNamed', uri: 'https://remote.example/a/0' }],
    ],
    [
      'votes in one list, as of GoToSocial',
      {
        type: 'Create',
        object: ['Tea', 'Milk'].map((name) => ({ ...base, content: undefined, name, inReplyTo: [parent] })),
      },
      ['Tea', 'Milk'].map((option) => ({ kind: 'vote', uri: base.id, poll: parent, option })),
    ],
  ])('%s is read', (_form, activity, acts) => {
    expect(actsOf(activity)).toMatchObject(acts);
  });

  it.each<[string, object]>([
    ['the Undo of an Accept', { type: 'Undo', object: { type: 'Accept', id: 'https://remote.example/a/0' } }],
  ])('%s means nothing here', (_form, activity) => {
    expect(readActivity({ id: 'https://remote.example/a/1', actor: bob, ...activity } as JsonObject)).toHaveProperty(
      'ignored',
    );
  });
});

it('a note whose id has a fragment is edited and deleted by that id', async () => {
  const bed = new InboundBed();
  const person = bed.person('remote.example', 'bob');
  await bed.follow(await bed.local('alice'), person);
  const note = { ...person.note('page'), id: 'https://remote.example/page#1' };
  await bed.send(person, person.create(note));
  await bed.send(person, person.create({ ...note, id: 'https://remote.example/page#2', content: '<p>other</p>' }));
  const edited = { ...note, content: '<p>better</p>', updated: '2025-01-01T11:30:00Z' };
  await bed.send(person, person.activity('Update', edited));
  expect(bed.stored(note.id)?.content).toBe('<p>better</p>');
  await bed.send(person, person.activity('Delete', note.id));
  expect(bed.stored(note.id)).toBeUndefined();
  expect(bed.stored('https://remote.example/page#2')?.content).toBe('<p>other</p>');
});
