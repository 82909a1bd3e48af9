/** Settings and secrets of the server. */

import { beforeEach, expect, test } from 'vitest';
import { keyspaces } from '../../../src/actors/catalogue.ts';
import { instanceActor } from '../../../src/actors/instance/instance.actor.ts';
import { Instance, instanceKey } from '../../../src/actors/instance/instance.messages.ts';
import {
  instanceSecrets,
  listCustomEmojis,
  storedSettings,
  usageOf,
} from '../../../src/actors/instance/instance.queries.ts';
import { customEmojis } from '../../../src/actors/instance/instance.state.ts';
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
