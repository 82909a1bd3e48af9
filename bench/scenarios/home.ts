/** GET of a home timeline of 20, by readers who each follow many people. */
import { httpRequest } from '../generators/http-load.ts';
import { tokenOf } from '../seed/people.ts';
import { httpRatio } from './http-ratio.ts';

export const homeScenario = httpRatio({
  name: 'home',
  what: 'GET of a home timeline of 20',
  ratioAtLeast: 0.5,
  requests: ({ readers }, host) =>
    readers.map((reader) => httpRequest('GET', host, '/api/v1/timelines/home?limit=20', { token: tokenOf(reader) })),
});
