/** The different spellings of each activity, and the act that each is read as. */
import { describe, expect, it } from 'vitest';
import { readActivity } from '../../../src/federation/documents/read-activity.ts';
import type { JsonObject } from '../../../src/outbound/fetcher/json.ts';

describe('activities', () => {
  const bob = 'https://remote.example/users/bob';
  const alice = 'https://social.example/users/alice';
  const base = { id: 'https://remote.example/a/1', actor: bob };
  const follow = { id: 'https://social.example/activities/1', type: 'Follow', actor: alice, object: bob };
  it.each<[string, object, unknown[]]>([
    ['a Follow', { type: 'Follow', object: alice }, [{ kind: 'follow', followed: alice }]],
    [
      'a Follow of an object',
      { type: 'Follow', object: { id: alice, type: 'Person' } },
      [{ kind: 'follow', followed: alice }],
    ],
    [
      'an Accept',
      { type: 'Accept', object: follow },
      [{ kind: 'accept', follow: { uri: follow.id, follower: alice, followed: bob } }],
    ],
    [
      'an Accept of an id',
      { type: 'Accept', object: follow.id },
      [{ kind: 'accept', follow: { uri: follow.id, followed: bob } }],
    ],
    ['a Reject in a list', { type: ['Reject'], object: [follow] }, [{ kind: 'reject', follow: { uri: follow.id } }]],
    [
      'an Undo of a Follow',
      { type: 'Undo', object: { ...follow, actor: bob, object: alice } },
      [{ kind: 'undoFollow', follow: { followed: alice } }],
    ],
    [
      'an Undo of an id',
      { type: 'Undo', object: 'https://remote.example/a/0' },
      [{ kind: 'undoNamed', uri: 'https://remote.example/a/0' }],
    ],
    [
      'an Undo of a Like',
      { type: 'Undo', object: { type: 'Like', actor: bob, object: alice } },
      [{ kind: 'undoLike', object: alice, uri: undefined }],
    ],
    [
      'several Deletes',
      {
        type: 'Delete',
        object: ['https://remote.example/n/1', { id: 'https://remote.example/n/2', type: 'Tombstone' }],
      },
      [
        { kind: 'delete', uri: 'https://remote.example/n/1' },
        { kind: 'delete', uri: 'https://remote.example/n/2' },
      ],
    ],
    [
      'an Announce without a context',
      { type: 'Announce', object: 'https://third.example/n/1' },
      [{ kind: 'boost', uri: 'https://third.example/n/1' }],
    ],
    [
      'an Update of an id',
      { type: 'Update', object: 'https://remote.example/n/1' },
      [{ kind: 'editNamed', uri: 'https://remote.example/n/1' }],
    ],
    [
      'an Update of a Question',
      { type: 'Update', object: { id: 'https://remote.example/n/1', type: 'Question', attributedTo: bob, oneOf: [] } },
      [{ kind: 'edit' }],
    ],
  ])('%s', (_name, activity, acts) => {
    expect(readActivity({ ...base, ...activity } as JsonObject)).toMatchObject({ actor: bob, acts });
  });

  it.each<[string, object]>([
    [
      'a chat message',
      { type: 'Create', object: { id: 'https://remote.example/n/1', type: 'ChatMessage', attributedTo: bob } },
    ],
    [
      'the Undo of a reaction without an id',
      { type: 'Undo', object: { type: 'EmojiReact', object: `${alice}/statuses/1` } },
    ],
    ['a dislike', { type: 'Dislike', object: `${alice}/statuses/1` }],
    ['an Undo of somebody else’s act', { type: 'Undo', object: { type: 'Like', actor: alice, object: alice } }],
    ['an Accept of an invitation', { type: 'Accept', object: { type: 'Join', id: 'https://remote.example/j/1' } }],
    ['a type that nobody knows', { type: 'constructor', object: alice }],
    ['an Add to nothing', { type: 'Add', object: 'https://remote.example/n/1' }],
  ])('%s is ignored', (_name, activity) => {
    expect(readActivity({ ...base, ...activity } as JsonObject)).toHaveProperty('ignored');
  });
});
