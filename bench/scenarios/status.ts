/** GET of one status, with a token: thousands of different ones, so that not a single answer is what is measured. */
import { httpRequest } from '../generators/http-load.ts';
import { tokenOf } from '../seed/people.ts';
import { httpRatio } from './http-ratio.ts';

const statusesMax = 5_000;

export const statusScenario = httpRatio({
  name: 'status',
  what: 'GET of one status, with a token',
  ratioAtLeast: 0.5,
  requests: ({ statuses, readers }, host) =>
    statuses
      .slice(0, statusesMax)
      .map((id, index) =>
        httpRequest('GET', host, `/api/v1/statuses/${id}`, { token: tokenOf(readers[index % readers.length]!) }),
      ),
});
