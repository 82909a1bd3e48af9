import { expect, test } from 'vitest';
import { Account } from '../../../../src/actors/account/account.messages.ts';
import { noteMessages } from '../../../../src/actors/account/notes/notes.messages.ts';
import { Circle } from '../../../support/circle.ts';

test('a note is of its author alone; written again it is replaced, and without words it is none', async () => {
  const circle = new Circle();
  const [alice, bob] = [await circle.local('alice', 0), await circle.local('bob', 1)];
  const notes = () => [circle.relationship(alice, bob).note, circle.relationship(bob, alice).note];
  const write = (comment: string) =>
    circle.server.call(Account.setNote.to(alice.id, noteMessages.setNote.body.parse({ targetId: bob.id, comment })));
  await write('one');
  await write('two');
  expect(notes()).toEqual(['two', '']);
  await write('');
  expect(notes()).toEqual(['', '']);
});
