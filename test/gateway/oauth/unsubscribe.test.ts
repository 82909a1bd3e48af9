/** Mails are switched off by their links, in the settings, and through the API. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MailTopic } from '../../../src/actors/account/mail/mail.records.ts';
import { mailSettingsEndpoints } from '../../../src/gateway/rest/mail-settings/mail-settings.endpoints.ts';
import { mailChoicesOf } from '../../../src/operations/mail/change-mail-settings.ts';
import { secretsOf } from '../../../src/services/instance-secrets.ts';
import { mailTokenKey, makeUnsubscribeToken } from '../../../src/services/mail-tokens.ts';
import type { TestGateway } from '../../support/gateway.ts';
import { addWithToken } from '../../support/sign-up.ts';
import { addPerson, Browser, startGateway } from './people.ts';

let gateway: TestGateway;
let accountId: bigint;

beforeAll(async () => {
  gateway = startGateway({ endpoints: mailSettingsEndpoints });
  accountId = await addPerson(gateway, 'alice');
});

afterAll(async () => {
  expect(gateway.log).toEqual([]);
  await gateway.close();
});

const wants = (topic: MailTopic) => mailChoicesOf(gateway.services, accountId).topics.get(topic);

async function addressFor(topic: MailTopic): Promise<string> {
  const token = makeUnsubscribeToken(mailTokenKey(await secretsOf(gateway.services)), { accountId, topic });
  return `/unsubscribe?${new URLSearchParams({ token })}`;
}

test('a mail program switches a kind of mail off with one POST, as often as it likes', async () => {
  const address = await addressFor('mention');
  for (const _again of [1, 2]) {
    const answer = await gateway.fetch(address, { method: 'POST', form: { 'List-Unsubscribe': 'One-Click' } });
    expect(answer.status).toBe(200);
    expect(wants('mention')).toBe(false);
  }
  expect(wants('follow')).toBe(true);
});

test('a multipart body does as well (RFC 8058)', async () => {
  const body = new FormData();
  body.set('List-Unsubscribe', 'One-Click');
  const answer = await fetch(`${gateway.origin}${await addressFor('quote')}`, { method: 'POST', body });
  expect(answer.status).toBe(200);
  expect(wants('quote')).toBe(false);
});

test('the link shows a page, which changes nothing until its button is pressed', async () => {
  const browser = new Browser(gateway);
  await browser.open(await addressFor('follow'));
  expect(browser.text).toContain('Somebody follows you');
  expect(wants('follow')).toBe(true);
  expect((await browser.submit({})).status).toBe(200);
  expect(wants('follow')).toBe(false);
});

test('a token that is none of this server is refused, for the page and for the button', async () => {
  const address = await addressFor('follow_request');
  const forged = [
    address.replace('follow_request', 'reblog'),
    `${address}x`,
    '/unsubscribe',
    '/unsubscribe?token=1.a.b',
  ];
  for (const one of forged) {
    expect((await gateway.fetch(one)).status).toBe(403);
    expect((await gateway.fetch(one, { method: 'POST' })).status).toBe(403);
  }
  expect(wants('follow_request')).toBe(true);
});

test('GET and PATCH /api/murmuration/v1/mail_settings', async () => {
  const { token } = await addWithToken(gateway, 'mona', { role: 'moderator' });
  const path = '/api/murmuration/v1/mail_settings';
  const { body } = await gateway.json(path, { token });
  expect(body).toMatchObject({ always: false, topics: { mention: true, favourite: false, 'admin.report': true } });
  const topics = { favourite: true, 'admin.report': false };
  const changed = await gateway.json(path, { method: 'PATCH', token, json: { topics, always: true } });
  expect(changed.body).toMatchObject({ always: true, topics: { mention: true, ...topics } });
});
