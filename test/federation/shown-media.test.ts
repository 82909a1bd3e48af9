/** A picture of a real remote server (Fedify), from its post to a reader here, who never asks that server. */
import { Create, Image, Mention, Note, PUBLIC_COLLECTION } from '@fedify/vocab';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RemoteHost, startRemoteHost } from '../outbound/fetcher/remote-host.ts';
import { untilAnswered } from '../support/asking.ts';
import { type FedifyServer, startFedifyServer } from '../support/fedify-server.ts';
import { type RunningServer, startTestServer } from '../support/server.ts';
import { until } from '../support/until.ts';

let server: RunningServer;
let remote: FedifyServer;
let files: RemoteHost;

beforeAll(async () => {
  const picture = await sharp({ create: { width: 1_200, height: 800, channels: 3, background: '#3366cc' } })
    .jpeg()
    .toBuffer();
  [server, remote, files] = await Promise.all([
    startTestServer({ host: '127.0.0.1' }),
    startFedifyServer('127.0.0.2', ['remy']),
    startRemoteHost((_request, response) => void response.setHeader('content-type', 'image/jpeg').end(picture)),
  ]);
});

afterAll(async () => {
  await Promise.all([remote.stop(), files.close()]);
  expect(await server.stop(), server.output()).toBe(0);
});

interface Shown {
  readonly uri: string;
  readonly media_attachments: readonly {
    readonly url: string;
    readonly preview_url: string;
    readonly remote_url: string;
    readonly description: string;
  }[];
}

test('a picture of another server is shown through this one, fetched once, and kept', async () => {
  const alice = await server.createUser('alice');
  const search = `/api/v1/accounts/search?q=remy@${remote.host}&resolve=true`;
  await untilAnswered(() => server.fetch(search, { token: alice.token }));
  const actor = new URL(`${server.origin}/users/alice`);
  const address = `${files.origin}/cat.jpg`;
  const note = remote.serve(
    new Note({
      id: remote.newAddress('notes'),
      attribution: remote.actor('remy'),
      content: '<p>A cat</p>',
      tos: [PUBLIC_COLLECTION, actor],
      tags: [new Mention({ href: actor, name: `@alice@${new URL(server.origin).host}` })],
      attachments: [new Image({ url: new URL(address), mediaType: 'image/jpeg', name: 'A cat on a mat' })],
    }),
  );
  const create = { id: remote.newAddress('activities'), actor: remote.actor('remy'), tos: [PUBLIC_COLLECTION, actor] };
  await remote.send('remy', actor, new Create({ ...create, object: note }));
  const status = await until(async () => {
    const answer = await server.fetch('/api/v1/notifications', { token: alice.token });
    const notifications = (await answer.json()) as { status?: Shown }[];
    return notifications.find((one) => one.status?.uri === note.id!.href)?.status;
  });

  const [attachment] = status.media_attachments;
  expect(attachment).toMatchObject({ remote_url: address, description: 'A cat on a mat' });
  const shown = [attachment!.url, attachment!.preview_url];
  for (const one of shown) expect(one.startsWith(`${server.origin}/media_proxy/`)).toBe(true);
  expect(files.requests).toHaveLength(0);

  const answers = await Promise.all([...shown, ...shown].map((one) => fetch(one)));
  const sizes = await Promise.all(answers.map(async (answer) => sharp(await answer.arrayBuffer()).metadata()));
  expect(answers.map(({ status: code, headers }) => [code, headers.get('content-type')])).toEqual(
    Array.from({ length: 4 }, () => [200, 'image/jpeg']),
  );
  expect(sizes.map(({ width }) => width)).toEqual([1_200, 587, 1_200, 587]);
  expect(files.requests).toHaveLength(1);

  const [kind, signature] = new URL(shown[0]!).pathname.split('/').slice(2);
  const forged = Buffer.from(`${files.origin}/other.jpg`).toString('base64url');
  expect((await server.fetch(`/media_proxy/${kind}/${signature}/${forged}`)).status).toBe(404);
  expect(files.requests).toHaveLength(1);
});
