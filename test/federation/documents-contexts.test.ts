/**
 * JSON-LD processors (apex, which Guppe and Immers use) fetch every context that is referred to by address and refuse
 * the document if that fails: only contexts that all of them bundle may be referred to.
 */
import { expect, test } from 'vitest';
import * as contexts from '../../src/federation/documents/contexts.ts';

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
