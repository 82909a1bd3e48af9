/** The head of each page of a list: its title, and links to its other pages. */
import type { StoredList } from '../../../actors/account/lists/lists.queries.ts';
import { type Html, html } from '../../../services/words/html.ts';
import { tabs } from '../parts/tabs.ts';
import type { Visit } from '../visit.ts';

export function listPath({ id }: Pick<StoredList, 'id'>): string {
  return `/lists/${id}`;
}

const parts = { posts: '', people: '/people', settings: '/settings' } as const;
type Part = keyof typeof parts;

export function listHead({ words: { lists } }: Visit, list: StoredList, current: Part): Html {
  const links = Object.entries(parts).map(([part, ending]) => ({
    words: lists[part as Part],
    path: listPath(list) + ending,
    isCurrent: part === current,
  }));
  return html`<p class="list"><a href="/lists">${lists.title}</a></p>
<h1 class="list"><bdi>${list.title}</bdi></h1>
${tabs(lists.thisList, links)}`;
}
