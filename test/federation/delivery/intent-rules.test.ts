import { describe, expect, it } from 'vitest';
import type { Intent } from '../../../src/actors/intents.ts';
import { deliveryAgeMilliseconds } from '../../../src/actors/partition/partition.state.ts';
import {
  isFirstOfItsKind,
  isUrgent,
  lifetimeMillisecondsOf,
  orderKeyOf,
  superseded,
} from '../../../src/federation/delivery/intent-rules.ts';
import { alice, bob, create, follow, like, nextId, remove, unlike, update } from './lanes-bed.ts';

const day = 24 * 3_600_000;

function between(kind: 'acceptFollow' | 'rejectFollow', targetId = bob): Intent {
  return { kind, actorId: alice, activityId: nextId(), targetId, followUri: undefined };
}

function unfollow(followId: bigint, targetId = bob): Intent {
  return { kind: 'undoFollow', actorId: alice, activityId: nextId(), targetId, followId };
}

function block(blockId: bigint): Intent {
  return { kind: 'block', actorId: alice, activityId: nextId(), targetId: bob, blockId };
}

function unblock(blockId: bigint): Intent {
  return { kind: 'undoBlock', actorId: alice, activityId: nextId(), targetId: bob, blockId };
}

function boost(reblogId: bigint, kind: 'announce' | 'undoAnnounce' = 'announce'): Intent {
  const ids = { activityId: nextId(), statusId: 77n, reblogId, authorId: bob };
  return { kind, actorId: alice, ...ids, visibility: 'public' };
}

function updateAccount(): Intent {
  return { kind: 'updateAccount', actorId: alice, activityId: nextId() };
}

function pin(statusId: bigint, kind: 'pin' | 'unpin' = 'pin'): Intent {
  return { kind, actorId: alice, activityId: nextId(), statusId };
}

describe('one order', () => {
  it.each<[string, Intent[]]>([
    ['what is said of a status', [create(1n), update(1n), pin(1n), pin(1n, 'unpin'), remove(1n)]],
    ['likes of a status and their ends', [like(1n, 9n), unlike(1n, 9n), like(2n, 9n), unlike(2n, 9n)]],
    ['boosts of a status and their ends', [boost(1n), boost(1n, 'undoAnnounce'), boost(2n), boost(2n, 'undoAnnounce')]],
    [
      'two accounts and each other',
      [follow(), unfollow(1n), between('acceptFollow'), between('rejectFollow'), block(1n)],
    ],
    ['changes of a profile', [updateAccount(), updateAccount()]],
  ])('holds for %s', (_name, intents) => {
    expect(new Set(intents.map(orderKeyOf)).size).toBe(1);
  });

  it('begins with a new post; any other intent may follow an earlier one', () => {
    const kinds = [create(1n), like(1n), boost(1n), follow(), updateAccount()].map(({ kind }) => kind);
    expect(kinds.filter(isFirstOfItsKind)).toEqual(['create']);
  });

  it('does not hold for different things', () => {
    const intents = [create(1n), create(2n), like(3n), boost(4n), follow(), follow(alice), updateAccount()];
    expect(new Set(intents.map(orderKeyOf)).size).toBe(intents.length);
  });
});

const deletion = { ...updateAccount(), kind: 'deleteAccount' } as Intent;
const keyUpdate = { ...updateAccount(), tellsOfKey: true } as Intent;

describe('a later intent', () => {
  it.each<[string, Intent, Intent, 'both' | 'earlier' | undefined]>([
    ['deletes the post that was created', remove(1n), create(1n), 'both'],
    ['deletes the post that was edited', remove(1n), update(1n), 'earlier'],
    ['deletes another post', remove(1n), create(2n), undefined],
    ['edits once more', update(1n), update(1n), 'earlier'],
    ['edits what was created', update(1n), create(1n), undefined],
    ['edits another post', update(1n), update(2n), undefined],
    ['takes a like back', unlike(1n), like(1n), 'both'],
    ['takes another like back', unlike(1n), like(2n), undefined],
    ['takes a boost back', boost(1n, 'undoAnnounce'), boost(1n), 'both'],
    ['takes a follow back', unfollow(1n), { ...follow(), followId: 1n } as Intent, 'both'],
    ['takes another follow back', unfollow(1n), follow(), undefined],
    ['takes a block back', unblock(1n), block(1n), 'both'],
    ['rejects after accepting', between('rejectFollow'), between('acceptFollow'), undefined],
    ['unpins what was pinned', pin(1n, 'unpin'), pin(1n), 'earlier'],
    ['pins again', pin(1n), pin(1n, 'unpin'), 'earlier'],
    ['pins another post', pin(1n), pin(2n, 'unpin'), undefined],
    ['deletes the post that was pinned', remove(1n), pin(1n), 'earlier'],
    ['changes the profile again', updateAccount(), updateAccount(), 'earlier'],
    ['changes it after a change of the key', updateAccount(), keyUpdate, undefined],
    ['changes the key', keyUpdate, updateAccount(), 'earlier'],
    ['deletes the account once more', { ...updateAccount(), kind: 'deleteAccount' } as Intent, deletion, 'earlier'],
  ])('%s', (_name, later, earlier, effect) => {
    expect(superseded(later, earlier)).toBe(effect);
  });
});

it.each<[Intent['kind'], boolean, number]>([
  ['create', true, 7],
  ['update', false, 7],
  ['delete', false, 14],
  ['announce', false, 3],
  ['undoAnnounce', false, 14],
  ['like', false, 3],
  ['undoLike', false, 14],
  ['follow', true, 7],
  ['undoFollow', true, 14],
  ['acceptFollow', true, 14],
  ['rejectFollow', true, 14],
  ['block', true, 14],
  ['undoBlock', true, 14],
  ['updateAccount', false, 7],
  ['pin', false, 7],
  ['unpin', false, 7],
  ['vote', false, 7],
])('%s: urgent for those addressed by name %s, worth sending for %i days', (kind, urgent, days) => {
  expect(isUrgent(kind)).toBe(urgent);
  expect(lifetimeMillisecondsOf(kind)).toBe(days * day);
  // The log keeps it as long.
  expect(deliveryAgeMilliseconds).toBeGreaterThanOrEqual(days * day);
});
