/** Streams close when their token is revoked or their account is suspended or disabled. */
import { WebSocket } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mistakesIn } from '../../support/asking.ts';
import { type RunningServer, startTestServer } from '../../support/server.ts';
import { until } from '../../support/until.ts';
import { type User, Users } from '../../support/users.ts';

let server: RunningServer;
let people: Users;

beforeAll(async () => {
  server = await startTestServer();
  people = await Users.of(server);
});

afterAll(async () => {
  expect(mistakesIn(server)).toEqual([]);
  expect(await server.stop()).toBe(0);
});

/** The code with which a socket is closed, once it is. */
async function openSocket({ token }: User): Promise<{ code(): number | undefined }> {
  const socket = new WebSocket(`${server.origin.replace('http', 'ws')}/api/v1/streaming?stream=user`, token);
  let code: number | undefined;
  socket.addEventListener('close', (event) => {
    code = event.code;
  });
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener('open', () => resolve());
    socket.addEventListener('error', () => reject(new Error('the WebSocket could not be opened')));
  });
  return { code: () => code };
}

async function openEvents(person: User): Promise<{ ended(): boolean }> {
  const answer = await server.fetch('/api/v1/streaming/user', { token: person.token });
  expect(answer.status).toBe(200);
  let ended = false;
  void answer.text().finally(() => {
    ended = true;
  });
  return { ended: () => ended };
}

test.each<[string, (person: User) => Promise<unknown>]>([
  ['revoked', ({ token }) => people.ask(undefined, 'POST', '/oauth/revoke', { ...people.client, token })],
  ['suspended', ({ username }) => server.run('accounts', 'modify', username, '--suspend')],
  ['disabled', ({ username }) => server.run('accounts', 'modify', username, '--disable')],
])('a stream ends when its owner is %s, and cannot be opened again', async (how, end) => {
  const person = await people.add(`${how}_person`);
  const bystander = await people.add(`${how}_bystander`);
  const socket = await openSocket(person);
  const events = await openEvents(person);
  const other = await openSocket(bystander);
  await end(person);
  await until(() => socket.code() === 1008, { description: 'the WebSocket to be closed' });
  await until(() => events.ended(), { description: 'the events to end' });
  await expect(openSocket(person)).rejects.toThrow();
  expect([401, 403]).toContain((await server.fetch('/api/v1/streaming/user', { token: person.token })).status);
  expect(other.code()).toBeUndefined();
});
