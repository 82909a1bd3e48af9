/** Sends invalid requests and checks the error texts of the Mastodon API (behaviours, section 3). */
import type { Answered } from '../../support/asking.ts';
import type { Town } from '../../support/town.ts';

/** Where everybody asks. */
export const asked = {} as { town: Town };

export type Row = readonly [what: string, status: number, words: string | RegExp, question: () => Promise<Answered>];

export const notFound = 'Record not found';
export const forbidden = 'This action is not allowed';
export const invalid = (words: string) => `Validation failed: ${words}`;

export const write = (path: string, parameters: unknown = {}, method = 'POST') =>
  asked.town.ask(asked.town.people.bob, method, `/api/v1/${path}`, parameters);
export const read = (path: string) => asked.town.ask(asked.town.people.bob, 'GET', `/api/v1/${path}`);
export const post = (parameters: unknown) => write('statuses', parameters);

/** One character to the eye, of many code units. */
export const tower = (units: number) => `a${'\u0301'.repeat(units)}`;
export const tooLong = invalid('Text character limit of 500 exceeded');
export const unknownIds = ['0', '1', '999999999999999999', '99999999999999999999', 'word', '-1', '1e3', '0x10', '%00'];

export function refused(what: string, question: () => Promise<Answered>): Row {
  return [what, 404, notFound, question];
}
