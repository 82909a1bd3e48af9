/** Settings and secrets of the server. */

import { beforeEach, describe, expect, test } from 'vitest';
import { keyspaces } from '../../../src/actors/catalogue.ts';
import { instanceActor } from '../../../src/actors/instance/instance.actor.ts';
import { Instance, instanceKey } from '../../../src/actors/instance/instance.messages.ts';
import {
  instanceSecrets,
  listCustomEmojis,
  listTerms,
  storedSettings,
  usageOf,
} from '../../../src/actors/instance/instance.queries.ts';
import { customEmojis } from '../../../src/actors/instance/instance.state.ts';
import { instanceLimits } from '../../../src/actors/instance/limits.ts';
import { countUsage } from '../../../src/actors/usage.state.ts';
import { createTestServer, type TestServer } from '../../support/actors.ts';

let server: TestServer;

beforeEach(() => {
  server = createTestServer({ actors: [instanceActor], keyspaces });
});

test('settings that are not given stay as they are', async () => {
  expect(storedSettings(server.read)).toEqual({});
  await server.call(Instance.changeSettings.to(instanceKey, { registrations: 'approval', title: 'Here' }));
  await server.call(Instance.changeSettings.to(instanceKey, { title: 'There' }));
  expect(storedSettings(server.read)).toMatchObject({
    registrations: 'approval',
    title: 'There',
    description: undefined,
  });
});

describe('rules', () => {
  const add = (text: string) => server.call(Instance.addRule.to(instanceKey, { text, hint: '' }));
  const change = (id: string, changes: object) => server.call(Instance.changeRule.to(instanceKey, { id, ...changes }));
  const rules = () => storedSettings(server.read).rules;

  test('have numbers that are never given again, because reports name them', async () => {
    for (const text of ['Be kind', 'Be quiet']) await add(text);
    await server.call(Instance.removeRule.to(instanceKey, { id: '2' }));
    expect(await add('Be loud')).toEqual({ id: '3' });
    expect(rules()?.map(({ id, text }) => [id, text])).toEqual([
      ['1', 'Be kind'],
      ['3', 'Be loud'],
    ]);
  });

  test('are changed and translated field by field; an empty translation is gone', async () => {
    await add('Be kind');
    await change('1', { hint: 'To birds as well' });
    await change('1', { language: 'de', text: 'Sei nett' });
    await change('1', { language: 'de', hint: 'Auch zu Vögeln' });
    await change('1', { language: 'fr', text: 'Sois gentil' });
    await change('1', { language: 'fr', text: '' });
    expect(rules()).toEqual([
      {
        id: '1',
        text: 'Be kind',
        hint: 'To birds as well',
        translations: { de: { text: 'Sei nett', hint: 'Auch zu Vögeln' } },
      },
    ]);
  });

  test.each([
    ['changed', () => change('7', { text: 'x' })],
    ['removed', () => server.call(Instance.removeRule.to(instanceKey, { id: '7' }))],
  ])('that do not exist cannot be %s', async (_what, ask) => {
    await expect(ask()).rejects.toMatchObject({ code: 'notFound' });
  });

  test('have a bound', async () => {
    for (let number = 0; number < instanceLimits.rulesMax; number += 1) await add('Be kind');
    await expect(add('Be kind')).rejects.toMatchObject({ code: 'validation' });
  });
});

test('disallowed hashtags are stored once each, and can be allowed again', async () => {
  const set = (name: string, isDisallowed: boolean) =>
    server.call(Instance.setHashtagDisallowed.to(instanceKey, { name, isDisallowed }));
  for (const name of ['spam', 'ads', 'spam']) await set(name, true);
  expect(storedSettings(server.read).disallowedHashtags).toEqual(['ads', 'spam']);
  await set('ads', false);
  expect(storedSettings(server.read).disallowedHashtags).toEqual(['spam']);
});

test('terms of service are kept by the day from which on they hold, up to a bound', async () => {
  const publish = (day: number, content = 'T') => server.call(Instance.publishTerms.to(instanceKey, { day, content }));
  for (const day of [20_500, 20_400]) await publish(day);
  await publish(20_500, 'Corrected');
  expect(listTerms(server.read)).toMatchObject([
    { day: 20_400, content: 'T' },
    { day: 20_500, content: 'Corrected' },
  ]);
  await server.call(Instance.withdrawTerms.to(instanceKey, { day: 20_400 }));
  await expect(server.call(Instance.withdrawTerms.to(instanceKey, { day: 20_400 }))).rejects.toMatchObject({
    code: 'notFound',
  });
  for (let day = 1; day < instanceLimits.termsVersionsMax; day += 1) await publish(day);
  await expect(publish(0)).rejects.toMatchObject({ code: 'validation' });
});

test('the first secrets stay', async () => {
  const secrets = (name: string) => ({
    formSecret: name,
    keyPair: { publicKeyPem: name, privateKeyPem: name, createdAt: 1 },
    vapidPublicKey: name,
    vapidPrivateKey: name,
  });
  expect(instanceSecrets(server.read)).toBeUndefined();
  await server.call(Instance.adoptSecrets.to(instanceKey, secrets('first')));
  expect(await server.call(Instance.adoptSecrets.to(instanceKey, secrets('second')))).toEqual(secrets('first'));
  expect(instanceSecrets(server.read)).toEqual(secrets('first'));
});

test('custom emojis are listed as they are stored', () => {
  expect(listCustomEmojis(server.read)).toEqual([]);
  const emoji = { shortcode: 'blob', url: 'u', staticUrl: 's', visibleInPicker: true, category: 'Blobs' };
  server.turn(Instance.actor, instanceKey, (turn) => turn.put(customEmojis, [instanceKey, 'blob'], emoji));
  expect(listCustomEmojis(server.read)).toEqual([emoji]);
});

test('usage is the sum over all partitions', () => {
  for (const key of ['instance', 'elsewhere', 'a', 'b', 'c'])
    server.turn(Instance.actor, key, (turn) => countUsage(turn, { users: 2, statuses: 3 }));
  server.turn(Instance.actor, 'd', (turn) => countUsage(turn, { statuses: -1, hosts: 1 }));
  expect(usageOf(server.read.partitions, 0)).toEqual({
    users: 10,
    statuses: 14,
    hosts: 1,
    activeMonth: 0,
    activeHalfyear: 0,
  });
});
