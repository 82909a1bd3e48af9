/**
 * JSON-LD processors (apex, which Guppe and Immers use) fetch every context that is referred to by address and refuse
 * the document if that fails: only contexts that all of them bundle may be referred to.
 */
import { expect, test } from 'vitest';
import * as contexts from '../../src/federation/documents/contexts.ts';
import { collectionsOfNote } from '../../src/federation/documents/note-parts/collections.ts';
import { quoteTerms } from '../../src/federation/documents/note-parts/quote.ts';

const known = ['https://www.w3.org/ns/activitystreams', 'https://w3id.org/security/v1'];
const all = [
  ...Object.values(contexts),
  contexts.contextOfNote({}),
  contexts.contextOfNote({ taggedCollections: [] }),
].filter((context) => typeof context !== 'function');

test.each(all.map((context) => [JSON.stringify(context).slice(0, 80), context]))('%s…', (_start, context) => {
  const named = [context].flat().filter((part) => typeof part === 'string');
  expect(known).toEqual(expect.arrayContaining(named));
  expect(named[0]).toBe(known[0]);
});

const quote = { statusId: 1n, accountId: 2n, state: 'pending' as const };
const collectionTerms = collectionsOfNote.context!.terms;

test.each([
  ['a status', {}, {}],
  ['a quoting one', { quote }, quoteTerms],
  ['one that links to collections', { taggedCollections: [3n] }, collectionTerms],
  ['one with both', { quote, taggedCollections: [3n] }, { ...quoteTerms, ...collectionTerms }],
])('the terms of %s are those of the parts that it has', (_name, status, terms) => {
  const [, always] = contexts.contextOfNote({}) as [string, object];
  expect(contexts.contextOfNote(status)).toEqual([known[0], { ...always, ...terms }]);
});
