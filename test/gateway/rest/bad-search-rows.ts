/** Invalid searches. */
import { asked, invalid, type Row, read } from './bad-asking.ts';

const missing = 'param is missing or the value is empty: q';
const search = (query: string) => asked.town.ask(asked.town.people.bob, 'GET', `/api/v2/search?${query}`);

export const searchRows: Row[] = [
  ['a search of everything for nothing', 400, missing, () => search('')],
  ['a search for blanks', 400, missing, () => read('search?q=%20')],
  ['a search for much', 422, /^Validation failed: Q/, () => search(`q=${'x'.repeat(501)}`)],
  [
    'a search for a kind that there is not',
    422,
    invalid('Type is not included in the list'),
    () => search('q=a&type=x'),
  ],
  ['a search from before the first', 422, /^Validation failed: Offset/, () => search('q=a&offset=-1')],
  ['a directory in another order', 422, invalid('Order is not included in the list'), () => read('directory?order=x')],
];
