/** The head of each page of a list: its title, and links to its other pages. */
import type { StoredList } from '../../../actors/account/lists/lists.queries.ts';
import { type Html, html } from '../parts/html.ts';
import { tabs } from '../parts/tabs.ts';

export function listPath({ id }: Pick<StoredList, 'id'>): string {
  return `/lists/${id}`;
}

const parts = { posts: ['Posts', ''], people: ['People', '/people'], settings: ['Settings', '/settings'] } as const;

export function listHead(list: StoredList, current: keyof typeof parts): Html {
  const links = Object.entries(parts).map(([part, [words, ending]]) => ({
    words,
    path: listPath(list) + ending,
    isCurrent: part === current,
  }));
  return html`<p class="list"><a href="/lists">Lists</a></p>
<h1 class="list"><bdi>${list.title}</bdi></h1>
${tabs('This list', links)}`;
}
