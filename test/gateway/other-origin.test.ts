/**
 * A server restarted under another origin uses the new origin in all of its links, because own addresses are stored as
 * paths. Texts stored with complete addresses are shown unchanged.
 */
import { beforeAll, expect, test } from 'vitest';
import { Account } from '../../src/actors/account/account.messages.ts';
import { rawRoutes } from '../../src/gateway/raw-routes.ts';
import { endpoints } from '../../src/gateway/rest/endpoints.ts';
import { changeProfile } from '../../src/operations/profile/change-profile.ts';
import { unlimited } from '../../src/operations/rate-limits.ts';
import { editStatus } from '../../src/operations/statuses/edit-status.ts';
import { publishStatus } from '../../src/operations/statuses/publish-status.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { addAccount } from '../support/sign-up.ts';

const former = 'https://social.example';
const origin = 'https://new.example';
const document = 'application/activity+json';
let before: TestGateway;
let after: TestGateway;
let aliceId: bigint;
let statusId: bigint;

async function write() {
  aliceId = await addAccount(before.actors, 'alice');
  await addAccount(before.actors, 'bob');
  const caller = { kind: 'account', accountId: aliceId, limits: unlimited } as const;
  const context = { caller, services: before.services };
  await changeProfile(context, { note: 'Friend of @bob, fond of #cats', fields: [{ name: 'Friend', value: '@bob' }] });
  ({ statusId } = await publishStatus(context, { text: 'Hello @bob', spoilerText: '' }));
  await editStatus(context, { statusId, text: 'Hello @bob, see #cats and "<a href="/x">"', spoilerText: '' });
}

beforeAll(async () => {
  before = startTestGateway({ endpoints: [], environment: { MURMURATION_ORIGIN: former } });
  await write();
  after = startTestGateway({ endpoints, rawRoutes, beside: before, environment: { MURMURATION_ORIGIN: origin } });
  return async () => {
    await after.close();
    await before.close();
  };
});

test.each([
  ['the status in the API', () => `/api/v1/statuses/${statusId}`, undefined, [`${origin}/@bob`, `${origin}/tags/cats`]],
  ['what it said before', () => `/api/v1/statuses/${statusId}/history`, undefined, [`${origin}/@bob`]],
  ['the account in the API', () => `/api/v1/accounts/${aliceId}`, undefined, [`${origin}/@bob`, `${origin}/tags/cats`]],
  ['the note', () => `/users/alice/statuses/${statusId}`, document, [`${origin}/users/bob`, `${origin}/@bob`]],
  [
    'the actor',
    () => '/users/alice',
    document,
    [`${origin}/@bob`, `${origin}/tags/cats`, `${origin}/users/alice#main-key`],
  ],
  ['the page of the status', () => `/@alice/${statusId}`, 'text/html', ['href="/@bob"', 'href="/tags/cats"']],
  ['the profile page', () => '/@alice', 'text/html', ['href="/@bob"', 'href="/tags/cats"']],
])('%s', async (_what, path, accept, addresses) => {
  const response = await after.fetch(path(), accept === undefined ? {} : { headers: { accept } });
  expect(response.status).toBe(200);
  const text = (await response.text()).replaceAll('\\"', '"');
  for (const address of addresses) expect(text).toContain(address);
  expect(text).not.toContain(former);
  expect(text).not.toContain(`${origin}/x`);
});

test('what was stored with a whole address keeps it', async () => {
  const content = `<p><a href="${former}/@bob" class="u-url mention">@<span>bob</span></a></p>`;
  const mention = { id: 1n, username: 'bob', acct: 'bob', url: `${former}/@bob` };
  const more = {
    visibility: 'public' as const,
    sensitive: false,
    spoilerText: '',
    tags: [],
    emojis: [],
    attachments: [],
  };
  const { statusId: id } = await after.actors.call(
    Account.publish.to(aliceId, { ...more, text: '@bob', content, mentions: [{ mention }] }),
  );
  const { body } = await after.json(`/api/v1/statuses/${id}`);
  expect(body).toMatchObject({ content, mentions: [{ url: `${former}/@bob` }] });
});
