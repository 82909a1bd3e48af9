import { expect, test } from 'vitest';
import { Account } from '../../../../src/actors/account/account.messages.ts';
import { noteMessages } from '../../../../src/actors/account/notes/notes.messages.ts';
import { People } from '../../../support/people.ts';

test('a note is private to its author; writing again replaces it, and an empty one removes it', async () => {
  const people = new People();
  const [alice, bob] = [people.local('alice'), people.local('bob')];
  const notes = () => [people.relationship(alice, bob).note, people.relationship(bob, alice).note];
  const write = (comment: string) =>
    people.server.call(Account.setNote.to(alice.id, noteMessages.setNote.body.parse({ targetId: bob.id, comment })));
  await write('one');
  await write('two');
  expect(notes()).toEqual(['two', '']);
  await write('');
  expect(notes()).toEqual(['', '']);
});
