/**
 * Servers that read JSON-LD as such (apex, which Guppe and Immers run on) fetch every context that is named by its
 * address, and refuse the document where that fails: only what all of them bring along may be named.
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
