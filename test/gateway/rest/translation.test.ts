/** Translating posts from end to end, with a small server that speaks the protocol of LibreTranslate. */

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Account } from '../../../src/actors/account/account.messages.ts';
import { findStatus } from '../../../src/actors/account/status-views.queries.ts';
import { statuses } from '../../../src/actors/account/statuses/statuses.state.ts';
import { Instance, instanceKey } from '../../../src/actors/instance/instance.messages.ts';
import { instanceEndpoints } from '../../../src/gateway/rest/instance/instance.endpoints.ts';
import { statusEndpoints } from '../../../src/gateway/rest/statuses/statuses.endpoints.ts';
import { translationEndpoints } from '../../../src/gateway/rest/translation/translation.endpoints.ts';
import { issueToken } from '../../../src/operations/applications/issue-token.ts';
import { translationLanguages } from '../../../src/operations/translation/languages.ts';
import { createRemoteHtmlCleaner } from '../../../src/outbound/remote-html/remote-html.ts';
import { sanitizeRemoteHtmlBatch } from '../../../src/outbound/remote-html/sanitize.task.ts';
import { createTranslation } from '../../../src/outbound/translation/translation-role.ts';
import type { Id } from '../../../src/runtime/ids.ts';
import { networkTranslator } from '../../../src/services/network-translator.ts';
import type { TestGateway } from '../../support/gateway.ts';
import { startTranslator, type TestTranslator } from '../../support/libre-translate.ts';
import { ownMedia } from '../../support/own-media.ts';
import { addPerson, startGateway } from '../oauth/people.ts';

let gateway: TestGateway;
let token: string;
let accountId: Id;
let translator: TestTranslator;
let closeTranslation: () => Promise<void>;

beforeEach(async () => {
  translator = await startTranslator();
  gateway = startGateway({ endpoints: [...translationEndpoints, ...statusEndpoints, ...instanceEndpoints] });
  const cleanHtml = createRemoteHtmlCleaner((batch) => Promise.resolve(sanitizeRemoteHtmlBatch(batch)));
  Object.assign(gateway.services, { cleanHtml });
  accountId = await addPerson(gateway, 'alice', { locale: 'de' });
  const rights = { clientId: 'c', applicationId: 7n, scopes: ['read', 'write'], dialect: 'mastodon' as const };
  ({ token } = await issueToken(gateway.services, { ...rights, accountId }));
  const options = { ...gateway.services.options, translationOrigin: translator.origin, translationKey: 'secret' };
  const { answerers, close } = createTranslation({ options });
  closeTranslation = close;
  const ask = async <Reply>(_index: number, topic: string, request: unknown) =>
    (await new Map(answerers).get(topic)!(request)) as Reply;
  Object.assign(gateway.services, { translator: networkTranslator(ask) });
});

afterEach(async () => {
  await closeTranslation();
  await gateway.close();
  await translator.close();
});

async function post(more: object): Promise<string> {
  const { body } = await gateway.json('/api/v1/statuses', {
    token,
    json: { status: 'birds', language: 'en', ...more },
  });
  return String(body.id);
}

/** A post whose language nobody said. */
async function withoutLanguage(more: object): Promise<string> {
  const id = await post(more);
  const { status } = findStatus(gateway.services.snapshots, BigInt(id))!;
  gateway.actors.turn(Account.actor, status.accountId, (turn) =>
    turn.put(statuses, [status.id], { ...status, language: undefined }),
  );
  return id;
}

const translate = (id: string, parameters: object = {}) =>
  gateway.json(`/api/v1/statuses/${id}/translate`, { token, json: parameters });

test('links of a status of this server lead somewhere wherever the translation is read', async () => {
  const { body } = await translate(await post({ status: 'A wren #birds' }));
  expect(body.content).toContain('href="https://social.example/tags/birds"');
});

test('a public status is translated with all that is read of it, once', async () => {
  const poll = { options: ['Ducks', 'Geese'], expires_in: 600 };
  const id = await post({ spoiler_text: 'wings', poll });
  const expected = {
    content: '<p>birds</p> (de)',
    spoiler_text: 'wings (de)',
    language: 'de',
    poll: { id, options: [{ title: 'Ducks (de)' }, { title: 'Geese (de)' }] },
    media_attachments: [],
    detected_source_language: 'en',
    provider: 'LibreTranslate',
  };
  expect(await translate(id)).toEqual({ status: 200, body: expected });
  expect(await translate(id, { lang: 'DE-at' })).toEqual({ status: 200, body: expected });
  expect(translator.asked).toHaveLength(2);
  expect(translator.asked).toContainEqual({
    q: ['<p>birds</p>'],
    source: 'en',
    target: 'de',
    format: 'html',
    api_key: 'secret',
  });
});

describe('languages are found by the codes that the translator uses', () => {
  beforeEach(() => {
    const codes = ['en', 'de', 'pt', 'pt-BR', 'zh-Hans', 'zh-Hant'];
    translator.languages = codes.map((code) => ({ code, targets: codes }));
  });

  test.each([
    ['en-GB', 'pt-PT', 'en', 'pt'],
    ['en', 'pt-br', 'en', 'pt-BR'],
    ['zh', 'en', 'zh-Hans', 'en'],
    ['zh-CN', 'de-AT', 'zh-Hans', 'de'],
    ['en', 'zh-TW', 'en', 'zh-Hant'],
    ['zh-HK', 'zh-Hans', 'zh-Hant', 'zh-Hans'],
  ])('%s into %s: %s into %s', async (language, lang, source, target) => {
    const { status, body } = await translate(await post({ language }), { lang });
    expect([status, body.language]).toEqual([200, target]);
    expect(translator.asked).toMatchObject([{ source, target }]);
  });

  test.each([
    ['zh-Hans', 'zh-CN'],
    ['en', 'en-US'],
    ['en', 'not a language'],
  ])('%s into %s is refused', async (language, lang) => {
    expect((await translate(await post({ language }), { lang })).status).toBe(403);
  });
});

test('any language is found in a status of none into what some language is translated into', async () => {
  translator.languages = [
    { code: 'en', targets: ['de'] },
    { code: 'fr', targets: ['en'] },
  ];
  expect((await gateway.json('/api/v1/instance/translation_languages')).body).toEqual({
    en: ['de'],
    fr: ['en'],
    und: ['de', 'en'],
  });
  const id = await withoutLanguage({});
  expect((await translate(id, { lang: 'de' })).status).toBe(200);
  expect((await translate(id, { lang: 'fr' })).status).toBe(403);
});

test('a status whose language nobody said is in the one that the translator finds', async () => {
  const id = await withoutLanguage({});
  expect((await translate(id, { lang: 'en' })).body).toMatchObject({ language: 'en', detected_source_language: 'de' });
  expect(translator.asked[0]).toMatchObject({ source: 'auto', target: 'en' });
});

test('a status without a text is in the language of its descriptions, and each description stays with its medium', async () => {
  const image = { type: 'image', url: '/media/1.png', mediaType: 'image/png' } as const;
  const [wren, undescribed, nest] = [{ description: 'a wren' }, {}, { description: 'a nest' }].map((described) =>
    String(ownMedia(gateway.actors, accountId, { ...image, ...described }).id),
  );
  const given = { status: '', media_ids: [wren, undescribed, nest] };
  const id = await withoutLanguage(given);
  expect((await translate(id, { lang: 'en' })).body).toEqual({
    content: '',
    spoiler_text: '',
    language: 'en',
    media_attachments: [
      { id: wren, description: 'a wren (en)' },
      { id: nest, description: 'a nest (en)' },
    ],
    detected_source_language: 'de',
    provider: 'LibreTranslate',
  });
});

test('custom emojis keep their names', async () => {
  const url = 'https://files.example/teal.png';
  const teal = { shortcode: 'teal', url, staticUrl: url, visibleInPicker: true };
  await gateway.actors.call(Instance.putEmoji.to(instanceKey, teal));
  const id = await post({ status: 'Ducks :teal: and :mallard: at https://birds.example/:teal:/x' });
  const { body } = await translate(id);
  const [content] = translator.asked[0]!.q;
  expect(content).toContain(
    'Ducks <span translate="no">:teal:</span> and :mallard: at <a href="https://birds.example/:teal:/x"',
  );
  expect(body.content).toContain('Ducks :teal: and :mallard: at <a href="https://birds.example/:teal:/x"');
  expect(body.content).not.toContain('<span translate');
});

test('what the translator answers is cleaned', async () => {
  const id = await post({});
  translator.fault = { status: 200, body: JSON.stringify([{ code: 'en', targets: ['de'] }]) };
  await gateway.json('/api/v1/instance/translation_languages');
  translator.fault = {
    status: 200,
    body: JSON.stringify({ translatedText: ['<p onclick="x()">a<script>b</script></p>'] }),
  };
  expect((await translate(id)).body.content).toBe('<p>a</p>');
});

test('the languages are told, also in the instance', async () => {
  expect((await translationLanguages(gateway.services)).get('en')).toEqual(['de']);
  expect((await gateway.json('/api/v1/instance/translation_languages')).body).toEqual({
    en: ['de'],
    de: ['en'],
    und: ['de', 'en'],
  });
  expect((await gateway.json('/api/v2/instance')).body).toMatchObject({
    configuration: { translation: { enabled: true } },
    // Of the server, not of what it translates.
    languages: ['en'],
  });
});

describe('is refused', () => {
  const forbidden = { status: 403, body: { error: 'This action is not allowed' } };
  test.each([
    ['a private status', { visibility: 'private' }, {}],
    ['a status in the language of the user', { language: 'de' }, {}],
    ['a language that the translator does not know', {}, { lang: 'fr' }],
  ])('%s', async (_what, wish, parameters) => {
    expect(await translate(await post(wish), parameters)).toEqual(forbidden);
    expect(translator.asked).toEqual([]);
  });

  test('what is not there, and anything where nothing translates', async () => {
    const notFound = { status: 404, body: { error: 'Record not found' } };
    expect(await translate('12')).toEqual(notFound);
    const id = await post({});
    Object.assign(gateway.services, { translator: undefined });
    expect(await translate(id)).toEqual(notFound);
    expect((await gateway.json('/api/v1/instance/translation_languages')).body).toEqual({});
  });
});

test.each([
  ['an error', { status: 500, body: '{}' }],
  ['too many requests', { status: 429, body: '{"error":"slow down"}' }],
  ['no JSON', { status: 200, body: '<html>' }],
  ['something else', { status: 200, body: '{"translatedText":[]}' }],
  ['far too much', { status: 200, body: `"${'x'.repeat(1_100_000)}"` }],
])('where the translator answers %s, it may be asked again', async (_what, answer) => {
  const id = await post({});
  translator.fault = answer;
  expect(await translate(id)).toEqual({ status: 503, body: { error: 'Remote data could not be fetched' } });
  translator.fault = undefined;
  expect((await translate(id)).status).toBe(200);
});
