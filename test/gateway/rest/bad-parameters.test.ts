/**
 * Invalid parameters, endpoint by endpoint: each gets the status and text of the Mastodon API (behaviours, section 3),
 * and nothing is stored.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Answered, type Json, mistakesIn } from '../../support/asking.ts';
import { startTown, type Town } from '../../support/town.ts';
import { Users } from '../../support/users.ts';
import {
  asked,
  forbidden,
  invalid,
  notFound,
  type Row,
  read,
  refused,
  tower,
  unknownIds,
  write,
} from './bad-asking.ts';
import { collectionRows } from './bad-collection-rows.ts';
import { filterRows } from './bad-filter-rows.ts';
import { listRows } from './bad-list-rows.ts';
import { notificationRows } from './bad-notification-rows.ts';
import { relationRows } from './bad-relation-rows.ts';
import { searchRows } from './bad-search-rows.ts';
import { statusRows } from './bad-status-rows.ts';

let town: Town;
/** Of another application. */
let others: Users;
let before: unknown;

beforeAll(async () => {
  town = await startTown();
  asked.town = town;
  others = await Users.of(town.server);
  before = await town.state();
});

afterAll(async () => {
  expect(mistakesIn(town.server)).toEqual([]);
  expect(await town.server.stop()).toBe(0);
});

const profile = (parameters: unknown) => write('accounts/update_credentials', parameters, 'PATCH');
const open = (path: string, parameters: unknown) => town.ask(undefined, 'POST', path, parameters);
const app = (changes: object) =>
  open('/api/v1/apps', { client_name: 'An app', redirect_uris: 'https://app.example/', ...changes });
const token = (parameters: object) => open('/oauth/token', { ...town.population.client, ...parameters });

const accountRows: Row[] = [
  ...['', '/statuses', '/followers', '/following', '/identity_proofs'].flatMap((list) =>
    unknownIds.map((id): Row => [`accounts/${id}${list}`, 404, notFound, () => read(`accounts/${id}${list}`)]),
  ),
  ...['follow', 'unfollow', 'block', 'unblock', 'mute', 'unmute', 'remove_from_followers'].flatMap((action) =>
    unknownIds.map((id): Row => [`${action} ${id}`, 404, notFound, () => write(`accounts/${id}/${action}`)]),
  ),
  ...['follow', 'block', 'mute'].map(
    (action): Row => [`${action} oneself`, 403, forbidden, () => write(`accounts/${town.people.bob.id}/${action}`)],
  ),
  ['follow somebody who blocks', 403, forbidden, () => write(`accounts/${town.people.carol.id}/follow`)],
  ['follow whom one blocks', 403, forbidden, () => write(`accounts/${town.people.frank.id}/follow`)],
  ['follow a suspended account', 403, forbidden, () => write(`accounts/${town.people.dave.id}/follow`)],
  [
    'follow in 201 languages',
    422,
    invalid('Languages are too many'),
    () => write(`accounts/${town.people.alice.id}/follow`, { languages: Array.from({ length: 201 }, () => 'en') }),
  ],
  [
    'follow in a language of 5,000 letters',
    422,
    /^Validation failed: Languages/,
    () => write(`accounts/${town.people.alice.id}/follow`, { languages: ['e'.repeat(5_000)] }),
  ],
  [
    'follow in a language that is none',
    422,
    invalid('Languages is invalid'),
    () => write(`accounts/${town.people.alice.id}/follow`, { languages: ['en', 'english!'] }),
  ],
  [
    'follow with reblogs that are an object',
    422,
    invalid('Reblogs is invalid'),
    () => write(`accounts/${town.people.alice.id}/follow`, { reblogs: {} }),
  ],
  [
    'mute for a word',
    422,
    invalid('Duration is not a number'),
    () => write(`accounts/${town.people.alice.id}/mute`, { duration: 'long' }),
  ],
  [
    'mute for half a second',
    422,
    invalid('Duration is not a number'),
    () => write(`accounts/${town.people.alice.id}/mute`, { duration: 0.5 }),
  ],
  ...['authorize', 'reject'].flatMap((answer) => [
    ...unknownIds.map((id): Row => [`${answer} ${id}`, 404, notFound, () => write(`follow_requests/${id}/${answer}`)]),
    refused(`${answer} somebody who never asked`, () => write(`follow_requests/${town.people.alice.id}/${answer}`)),
    refused(`${answer} in somebody else's name`, () => write(`follow_requests/${town.people.erin.id}/${answer}`)),
  ]),
  ['lookup of nothing', 404, notFound, () => read('accounts/lookup')],
  ['lookup of an address', 404, notFound, () => read('accounts/lookup?acct=alice@users.test')],
  ['lookup of a name of 10,000 letters', 404, notFound, () => read(`accounts/lookup?acct=${'a'.repeat(10_000)}`)],
  ['a search for much', 422, /^Validation failed: Q/, () => read(`accounts/search?q=${'x'.repeat(501)}`)],
  [
    'a search from before the beginning',
    422,
    /^Validation failed: Offset/,
    () => read('accounts/search?q=a&offset=-1'),
  ],
  ['a display name of 31 characters', 422, /Display name is too long/, () => profile({ display_name: 'x'.repeat(31) })],
  [
    'a display name of one character of 200,001 units',
    422,
    /Display name is too long/,
    () => profile({ display_name: tower(200_000) }),
  ],
  ['a note of 501 characters', 422, /Note character limit/, () => profile({ note: 'x'.repeat(501) })],
  ['a note of one character of 400,001 units', 422, /Note character limit/, () => profile({ note: tower(400_000) })],
  [
    'five fields',
    422,
    /Fields has the wrong length/,
    () => profile({ fields_attributes: Array.from({ length: 5 }, () => ({ name: 'a', value: 'b' })) }),
  ],
  [
    'an attribution domain that is none',
    422,
    invalid('Attribution domains is invalid'),
    () => profile({ attribution_domains: ['a b'] }),
  ],
  [
    'a profile with a long name',
    422,
    /Display name is too long/,
    () => write('profile', { display_name: tower(200_000) }, 'PATCH'),
  ],
  ...['trends', 'trends/tags', 'trends/statuses', 'trends/links'].map(
    (list): Row => [
      `${list} from before the beginning`,
      422,
      /^Validation failed: Offset/,
      () => read(`${list}?offset=-1`),
    ],
  ),
  ['a field without a name', 422, /Field name can't be blank/, () => profile({ fields_attributes: [{ value: 'b' }] })],
  [
    'a field name of one character of 200,001 units',
    422,
    /Field name is too long/,
    () => profile({ fields_attributes: [{ name: tower(200_000), value: 'b' }] }),
  ],
  [
    'a field value of one character of 200,001 units',
    422,
    /Field value is too long/,
    () => profile({ fields_attributes: [{ name: 'a', value: tower(200_000) }] }),
  ],
  [
    'a privacy that there is not',
    422,
    invalid('Source privacy is not included in the list'),
    () => profile({ source: { privacy: 'x' } }),
  ],
  ['a default language that is none', 422, /language is invalid/, () => profile({ source: { language: '<b>' } })],
];

const otherRows: Row[] = [
  ...unknownIds.flatMap((id): Row[] => [
    [`the notification ${id}`, 404, notFound, () => read(`notifications/${id}`)],
    [`the dismissal of ${id}`, 404, notFound, () => write(`notifications/${id}/dismiss`)],
  ]),
  refused("somebody else's notification", () => read(`notifications/${town.notification}`)),
  refused("the dismissal of somebody else's notification", () => write(`notifications/${town.notification}/dismiss`)),
  ['a cursor that is a list', 422, invalid('Max id is invalid'), () => read('timelines/home?max_id[]=1')],
  ['a marker at a word', 422, /is not an id$/, () => write('markers', { home: { last_read_id: 'word' } })],
  ['a marker at nothing', 422, /can't be blank$/, () => write('markers', { notifications: { last_read_id: '' } })],
  ['the removed direct timeline', 404, notFound, () => read('timelines/direct')],
  ['a stream that there is not', 400, 'Unknown channel requested', () => read('streaming/nonsense')],
  ['a stream of no tag', 400, 'Unknown channel requested', () => read('streaming/hashtag')],
  ['an application without a name', 422, invalid("Client name can't be blank"), () => app({ client_name: '' })],
  [
    'an application with a name of 61 characters',
    422,
    /Client name is too long/,
    () => app({ client_name: 'x'.repeat(61) }),
  ],
  ['an application without an address', 422, invalid("Redirect uris can't be blank"), () => app({ redirect_uris: '' })],
  [
    'an application at a relative address',
    422,
    invalid('Redirect URI must be an absolute URI.'),
    () => app({ redirect_uris: '/here' }),
  ],
  [
    'an application that is a script',
    422,
    invalid('Redirect URI is forbidden by the server.'),
    () => app({ redirect_uris: 'javascript:alert(1)' }),
  ],
  [
    'addresses of 2,001 characters',
    422,
    /Redirect URI is too long/,
    () => app({ redirect_uris: `https://${'x'.repeat(1_993)}` }),
  ],
  ['a scope that there is not', 422, /^Validation failed: Scopes/, () => app({ scopes: 'read everything' })],
  ['a website that is none', 422, invalid('Website is not a valid URL'), () => app({ website: 'javascript:alert(1)' })],
];

test.each([
  ...statusRows,
  ...accountRows,
  ...otherRows,
  ...searchRows,
  ...filterRows,
  ...relationRows,
  ...listRows,
  ...collectionRows,
  ...notificationRows,
])('%s is %i', async (_what, status, words, question) => {
  const answer = await question();
  const expected = typeof words === 'string' ? words : expect.stringMatching(words);
  expect([answer.status, errorOf(answer)]).toEqual([status, expected]);
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
});

function errorOf({ text, body }: Answered): string {
  return typeof (body as Json).error === 'string' ? String(body.error) : text.slice(0, 200);
}

test.each<[string, number, string, () => Promise<Answered>]>([
  ['no grant type', 400, 'invalid_request', () => token({})],
  ['a grant type that there is not', 400, 'unsupported_grant_type', () => token({ grant_type: 'implicit' })],
  [
    'a password, which is off',
    400,
    'unsupported_grant_type',
    () => token({ grant_type: 'password', username: 'alice@users.test', password: 'alice-password' }),
  ],
  [
    'a code that there is not',
    400,
    'invalid_grant',
    () => token({ grant_type: 'authorization_code', code: 'x', redirect_uri: 'https://app.example/' }),
  ],
  [
    'a code of 100,000 characters',
    400,
    'invalid_grant',
    () => token({ grant_type: 'authorization_code', code: 'x'.repeat(100_000), redirect_uri: 'y' }),
  ],
  ['no code', 400, 'invalid_request', () => token({ grant_type: 'authorization_code' })],
  [
    'more than was registered',
    400,
    'invalid_scope',
    async () => {
      const { body } = await app({ scopes: 'read' });
      const { client_id, client_secret } = body;
      return token({ grant_type: 'client_credentials', scope: 'admin:write', client_id, client_secret });
    },
  ],
  ['the wrong secret', 401, 'invalid_client', () => token({ grant_type: 'client_credentials', client_secret: 'x' })],
  ['no client', 401, 'invalid_client', () => token({ grant_type: 'client_credentials', client_id: '' })],
  [
    "the revocation of somebody else's token",
    403,
    'unauthorized_client',
    () => open('/oauth/revoke', { ...town.population.client, token: others.application.token }),
  ],
  [
    'a revocation without a client',
    403,
    'unauthorized_client',
    () => open('/oauth/revoke', { token: town.population.application.token }),
  ],
])('OAuth: %s is %i', async (_what, status, code, question) => {
  const answer = await question();
  expect([answer.status, answer.body.error]).toEqual([status, code]);
  expect(answer.body.error_description).toEqual(expect.any(String));
});

test('a sign-up says of each field what is wrong with it', async () => {
  const wish = {
    username: 'a b',
    email: 'alice@users.test',
    password: 'short',
    agreement: false,
    reason: 'x'.repeat(5_000),
  };
  const answer = await town.ask(town.population.application, 'POST', '/api/v1/accounts', wish);
  expect(answer.status).toBe(422);
  const codes = Object.entries(answer.body.details!).map(([field, errors]) => [
    field,
    errors.map(({ error }) => error),
  ]);
  expect(Object.fromEntries(codes)).toEqual({
    username: ['ERR_INVALID'],
    email: ['ERR_TAKEN'],
    password: ['ERR_TOO_SHORT'],
    agreement: ['ERR_ACCEPTED'],
    reason: ['ERR_TOO_LONG'],
  });
});

test.each([
  ['fields that are a word', { fields_attributes: 'undefined' }],
  ['a source that is a word', { source: 'x' }],
])('%s counts as not given, as Rails drops it', async (_what, parameters) => {
  expect((await profile(parameters)).status).toBe(200);
});

test('nothing was stored by any of it', async () => {
  expect(await town.state()).toEqual(before);
});
