/** The objects of others that a remote status shows: the quoted status, and the collections that it links to. */
import type { RemoteNote } from '../documents/read-note.ts';
import type { KnownAccount } from '../known-accounts.ts';
import type { Inbound, RemoteSource } from './inbound.ts';
import { fetchedQuoting, type Quoting, quotingOf, quotingSoFar } from './received-quote.ts';
import { fetchedTagged, type Tagged, taggedIn, taggedSoFar } from './tagged-collections.ts';

export interface ShownParts extends Quoting, Tagged {}

/** Without a fetch; `incomplete` where one is needed first. */
export function partsOf(inbound: Inbound, note: RemoteNote, author: KnownAccount): ShownParts | 'incomplete' {
  const quoting = quotingOf(inbound, note, author);
  if (note.collections.length === 0 || quoting === 'incomplete') return quoting;
  const tagged = taggedIn(inbound, note);
  return tagged === 'incomplete' ? 'incomplete' : { ...quoting, ...tagged };
}

/** The same with fetches. What cannot be fetched is left out. */
export async function fetchedParts(
  inbound: Inbound,
  note: RemoteNote,
  author: KnownAccount,
  source: RemoteSource,
): Promise<ShownParts> {
  const quoting = await fetchedQuoting(inbound, note, author, source);
  return { ...quoting, ...(await fetchedTagged(inbound, note, source)) };
}

/** Without a fetch and without waiting: what is not known is left out. */
export function partsSoFar(inbound: Inbound, note: RemoteNote, author: KnownAccount): ShownParts {
  return { ...quotingSoFar(inbound, note, author), ...taggedSoFar(inbound, note) };
}
