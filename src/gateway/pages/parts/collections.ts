/** Links to collections of accounts: on profiles, on the page of all, and below posts that link to some. */
import type { StoredCollection } from '../../../actors/account/collections/collections.queries.ts';
import type { PresentedStatus } from '../../../operations/presentation/presented-status.ts';
import { type Html, html } from '../../../services/words/html.ts';
import type { Visit } from '../visit.ts';

export function collectionList(collections: readonly Pick<StoredCollection, 'id' | 'name'>[], label: string): Html {
  const rows = collections.map(({ id, name }) => html`<li><a href="/collections/${id}" dir="auto">${name}</a></li>`);
  return html`<ul class="tags collections" aria-label="${label}">${rows}</ul>`;
}

/** Those that the post links to, by their names. */
export function linkedCollections({ words }: Visit, { collections = [] }: PresentedStatus): Html | undefined {
  if (collections.length === 0) return undefined;
  return collectionList(
    collections.map(({ collection }) => collection),
    words.posts.collections,
  );
}
