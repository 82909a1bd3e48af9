/** Invalid requests about filters. */
import { asked, invalid, notFound, type Row, tower, unknownIds } from './bad-asking.ts';

const at = (method: string, path: string, parameters: unknown = {}) =>
  asked.town.ask(asked.town.people.bob, method, `/api/${path}`, method === 'GET' ? undefined : parameters);
const filter = (changes: object) => at('POST', 'v2/filters', { title: 'x', context: ['home'], ...changes });

export const filterRows: Row[] = [
  ['a filter without a title', 422, invalid("Title can't be blank"), () => filter({ title: '' })],
  ['a filter for no place', 422, /Context can't be blank/, () => filter({ context: [] })],
  ['a filter for a place that there is not', 422, /Context None or invalid/, () => filter({ context: ['nowhere'] })],
  ['a filter of a word too long', 422, /too long/, () => filter({ keywords_attributes: [{ keyword: tower(600) }] })],
  [
    'a filter of a blank word behind a good one',
    422,
    invalid("Keyword can't be blank"),
    () => filter({ keywords_attributes: [{ keyword: 'good' }, { keyword: '' }] }),
  ],
  [
    'a keyword that there is not',
    404,
    notFound,
    () => filter({ keywords_attributes: [{ keyword: 'good' }, { id: '5', keyword: 'x' }] }),
  ],
  [
    'a phrase without words',
    422,
    invalid("Phrase can't be blank"),
    () => at('POST', 'v1/filters', { context: ['home'] }),
  ],
  ['a phrase for no place', 422, /Context can't be blank/, () => at('POST', 'v1/filters', { phrase: 'x' })],
  ...['v2/filters', 'v2/filters/keywords', 'v2/filter_keywords', 'v1/filters/keywords', 'v1/filters'].flatMap((path) =>
    unknownIds.flatMap((id) =>
      ['GET', 'PUT', 'DELETE'].map(
        (method): Row => [`${method} ${path}/${id}`, 404, notFound, () => at(method, `${path}/${id}`)],
      ),
    ),
  ),
  ...unknownIds.flatMap((id): Row[] => [
    [`the keywords of ${id}`, 404, notFound, () => at('GET', `v2/filters/${id}/keywords`)],
    [`the statuses of ${id}`, 404, notFound, () => at('GET', `v2/filters/${id}/statuses`)],
    [`a keyword for ${id}`, 404, notFound, () => at('POST', `v2/filters/${id}/keywords`, { keyword: 'x' })],
    [`the filtered status ${id}`, 404, notFound, () => at('GET', `v2/filters/statuses/${id}`)],
    [`the removal of the filtered status ${id}`, 404, notFound, () => at('DELETE', `v2/filters/statuses/${id}`)],
  ]),
];
