import { beforeEach, describe, expect, test } from 'vitest';
import { findProfile } from '../../src/actors/account/remote/federation.queries.ts';
import { changeProfile } from '../../src/operations/profile/change-profile.ts';
import type { Person } from '../support/observer.ts';
import { Callers } from './callers.ts';

let callers: Callers;
let alice: Person;

beforeEach(() => {
  callers = new Callers();
  alice = callers.people.local('alice', { displayName: 'Alice', locked: true });
  callers.people.local('bob');
});

type Change = Parameters<typeof changeProfile>[1];
const change = (given: Change) => changeProfile(callers.as(alice), given);
const profile = () => findProfile(callers.people.server.read, alice.id);

describe('a profile', () => {
  test('keeps what is not given', async () => {
    await change({ note: 'Hello @bob' });
    expect(profile()).toMatchObject({ displayName: 'Alice', locked: true, note: 'Hello @bob' });
    expect(profile()?.noteHtml).toContain('href="/@bob"');
  });

  test('has fields without those in which nothing is written', async () => {
    const empty = { name: ' ', value: '' };
    await change({ fields: [empty, { name: 'Web\nsite', value: 'https://alice.example' }, empty, empty, empty] });
    expect(profile()?.fields).toMatchObject([{ name: 'Web site', value: 'https://alice.example' }]);
  });

  test.each<[string, Change, string]>([
    ['a long name', { displayName: 'a'.repeat(31) }, 'Display name is too long (maximum is 30 characters)'],
    ['a long note', { note: 'a'.repeat(501) }, 'Note character limit of 500 exceeded'],
    ['a field without a name', { fields: [{ name: '', value: 'one' }] }, "Field name can't be blank"],
    [
      'five fields',
      { fields: Array.from({ length: 5 }, (_, number) => ({ name: `${number}`, value: '' })) },
      'Fields has the wrong length (maximum is 4)',
    ],
    ['a language that is none', { defaultLanguage: '?' }, 'Default language is invalid'],
  ])('is refused with %s, and stays as it is', async (_case, given, sentence) => {
    const before = profile();
    await expect(change(given)).rejects.toMatchObject({
      code: 'validation',
      message: sentence,
    });
    expect(profile()).toEqual(before);
  });
});
