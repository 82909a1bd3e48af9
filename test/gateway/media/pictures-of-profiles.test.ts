/**
 * Avatars and headers through the API of a running server: received, decoded, shown, replaced and removed. Custom emojis and
 * the picture of the server, from files of the operator.
 */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningServer, startTestServer } from '../../support/server.ts';
import { until } from '../../support/until.ts';
import type { User } from '../../support/users.ts';

let server: RunningServer;
let alice: User;

beforeAll(async () => {
  server = await startTestServer();
  alice = await server.createUser('alice');
});

afterAll(() => server.stop());

const field = (width: number, height: number, background: string) =>
  sharp({ create: { width, height, channels: 3, background } });
const photo = () => field(600, 300, '#3366cc').jpeg().toBuffer();
const moving = async () =>
  sharp(await Promise.all(['#ff0000', '#0000ff'].map((colour) => field(64, 64, colour).png().toBuffer())), {
    join: { animated: true },
  })
    .gif({ delay: [100, 100] })
    .toBuffer();

interface Account {
  readonly display_name: string;
  readonly avatar: string;
  readonly avatar_static: string;
  readonly avatar_description: string;
  readonly header: string;
  readonly header_static: string;
  readonly header_description: string;
  readonly error?: string;
}

interface Thumbnail {
  readonly url: string;
  readonly versions: { readonly '@1x': string; readonly '@2x': string };
}

const credentials = '/api/v1/accounts/update_credentials';

async function change(fields: Readonly<Record<string, string | Buffer>>, path = credentials) {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === 'string') body.append(name, value);
    else body.append(name, new Blob([new Uint8Array(value)]), `${name}.bin`);
  }
  const response = await server.fetch(path, { method: 'PATCH', body, token: alice.token });
  return { status: response.status, body: (await response.json()) as Account };
}

async function seen(): Promise<Account> {
  return (await (await server.fetch(`/api/v1/accounts/${alice.id}`)).json()) as Account;
}

async function pictureAt(address: string) {
  const response = await server.fetch(new URL(address).pathname);
  expect(response.status).toBe(200);
  const { format, width, height, pages } = await sharp(Buffer.from(await response.arrayBuffer())).metadata();
  return { format, width, height, pages };
}

async function actor() {
  const response = await server.fetch('/users/alice', { headers: { Accept: 'application/activity+json' } });
  return (await response.json()) as Record<string, unknown>;
}

test('an avatar and a header are in the answer, in what others see, and told to other servers', async () => {
  const given = { avatar_description: 'A blue field', header_description: 'Another' };
  const { status, body } = await change({ avatar: await photo(), header: await photo(), display_name: 'Al', ...given });
  expect({ status, body }).toMatchObject({ status: 200, body: { display_name: 'Al', ...given } });
  expect(await pictureAt(body.avatar)).toEqual({ format: 'jpeg', width: 400, height: 400, pages: undefined });
  expect(await pictureAt(body.header)).toEqual({ format: 'jpeg', width: 600, height: 300, pages: undefined });
  expect([body.avatar_static, body.header_static]).toEqual([body.avatar, body.header]);
  expect(await seen()).toMatchObject({ avatar: body.avatar, header: body.header, ...given });
  expect(await actor()).toMatchObject({
    icon: { type: 'Image', mediaType: 'image/jpeg', url: body.avatar, summary: 'A blue field' },
    image: { type: 'Image', mediaType: 'image/jpeg', url: body.header, summary: 'Another' },
  });
  const page = await (await server.fetch('/@alice')).text();
  for (const address of [body.avatar, body.header]) expect(page).toContain(address);
});

test('one that moves has a still beside it', async () => {
  const { body } = await change({ avatar: await moving() }, '/api/v1/profile');
  expect(await pictureAt(body.avatar)).toEqual({ format: 'gif', width: 400, height: 400, pages: 2 });
  expect(await pictureAt(body.avatar_static)).toEqual({ format: 'png', width: 400, height: 400, pages: undefined });
  expect(await seen()).toMatchObject({ avatar: body.avatar, avatar_static: body.avatar_static });
});

test('what is sent as text keeps the picture', async () => {
  const { avatar, header } = await seen();
  expect((await change({ avatar: '', header: 'x' })).body).toMatchObject({ avatar, header });
});

const contentType = (name: string) => `Validation failed: ${name} content type is invalid`;

test.each([
  ['no bytes', 'avatar', () => Buffer.alloc(0), contentType('Avatar')],
  ['text', 'header', () => Buffer.from('Not a picture'), contentType('Header')],
  ['SVG', 'avatar', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), contentType('Avatar')],
  [
    'half a picture',
    'avatar',
    async () => (await photo()).subarray(0, 300),
    'Validation failed: Avatar cannot be decoded',
  ],
])('%s as %s changes nothing', async (_what, name, bytes, error) => {
  const before = await seen();
  const refused = await change({ [name]: await bytes(), display_name: 'Other' });
  expect({ status: refused.status, error: refused.body.error }).toEqual({ status: 422, error });
  expect(await seen()).toEqual(before);
});

test('a description that is too long changes nothing', async () => {
  const { status, body } = await change({ avatar_description: 'x'.repeat(151) });
  const error = 'Validation failed: Avatar description is too long (maximum is 150 characters)';
  expect({ status, error: body.error }).toEqual({ status: 422, error });
});

test.each(['avatar', 'header'] as const)('a removed %s takes its description along', async (name) => {
  await change({ [name]: await photo(), [`${name}_description`]: 'Said' });
  const response = await server.fetch(`/api/v1/profile/${name}`, { method: 'DELETE', token: alice.token });
  expect(response.status).toBe(200);
  expect(await seen()).toMatchObject({
    [name]: expect.stringMatching(/\/(?:avatars|headers)\/\d+\.png$/),
    [`${name}_description`]: '',
  });
  const document = await actor();
  expect(document[name === 'avatar' ? 'icon' : 'image']).toBeUndefined();
});

describe('the operator', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'pictures-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const file = (name: string, bytes: Buffer) => {
    const path = join(folder, name);
    writeFileSync(path, bytes);
    return path;
  };
  const json = async <Body>(path: string) => (await (await server.fetch(path)).json()) as Body;
  type Emojis = readonly { readonly shortcode: string; readonly url: string; readonly static_url: string }[];

  test('adds an emoji from a file: it is shown, told to other servers, and stays in what was written with it', async () => {
    await server.run('emojis', 'add', 'dance', '--file', file('dance.gif', await moving()));
    const [emoji] = await json<Emojis>('/api/v1/custom_emojis');
    expect(await pictureAt(emoji!.url)).toEqual({ format: 'gif', width: 64, height: 64, pages: 2 });
    expect(await pictureAt(emoji!.static_url)).toEqual({ format: 'png', width: 64, height: 64, pages: undefined });
    expect(await server.run('emojis', 'list')).toContain(`:dance:  ${emoji!.url}`);
    const body = new FormData();
    body.append('status', 'Let us :dance:');
    const posted = await server.fetch('/api/v1/statuses', { method: 'POST', body, token: alice.token });
    const { id, emojis } = (await posted.json()) as { id: string; emojis: Emojis };
    expect(emojis).toMatchObject([{ url: emoji!.url, static_url: emoji!.static_url }]);
    const headers = { Accept: 'application/activity+json' };
    const note = (await (await server.fetch(`/users/alice/statuses/${id}`, { headers })).json()) as { tag: unknown };
    expect(note.tag).toEqual([
      { type: 'Emoji', name: ':dance:', icon: { type: 'Image', mediaType: 'image/gif', url: emoji!.url } },
    ]);
    await server.run('emojis', 'remove', 'dance');
    expect(await json('/api/v1/custom_emojis')).toEqual([]);
    expect(await pictureAt(emoji!.url)).toMatchObject({ format: 'gif' });
  });

  test.each([
    ['none', [], /Either --file or --image/],
    ['too many', ['--file', 'a.png', '--image', 'https://pictures.example/a.png'], /Either --file or --image/],
  ])('is told of an emoji with %s', async (_what, flags, sentence) => {
    await expect(server.run('emojis', 'add', 'cat', ...flags)).rejects.toThrow(sentence);
  });

  test.each([
    ['of 300 KB', Buffer.alloc(300 * 1_024), /too large: at most 256 KB/],
    ['that is no picture', Buffer.from('meow'), /Emoji content type is invalid/],
  ])('is told of a file %s', async (_what, bytes, sentence) => {
    await expect(server.run('emojis', 'add', 'cat', '--file', file('cat.png', bytes))).rejects.toThrow(sentence);
    expect(await json('/api/v1/custom_emojis')).toEqual([]);
  });

  test('sets the picture of the server, in two sizes with a blurhash, and the built-in one again', async () => {
    const before = await json('/api/v2/instance');
    const path = file('birds.png', await field(2_600, 1_400, '#226644').png().toBuffer());
    await server.run('settings', 'thumbnail', path, '--description', 'A green field');
    const { thumbnail } = await json<{ thumbnail: Thumbnail }>('/api/v2/instance');
    expect(thumbnail).toMatchObject({
      blurhash: expect.stringMatching(/^[\w#$%*+,.:;=?@[\]^{|}~-]{6,}$/),
      description: 'A green field',
    });
    expect(thumbnail.versions['@1x']).toBe(thumbnail.url);
    expect(await pictureAt(thumbnail.url)).toMatchObject({ width: 1_200, height: 630 });
    expect(await pictureAt(thumbnail.versions['@2x'])).toMatchObject({ width: 2_400, height: 1_260 });
    expect(await json('/api/v1/instance')).toMatchObject({ thumbnail: thumbnail.url });
    expect(await (await server.fetch('/')).text()).toContain(`<img src="${thumbnail.url}" alt="A green field"`);
    await server.run('settings', 'remove-thumbnail');
    expect(await json('/api/v2/instance')).toEqual(before);
  });

  test('sets it through the API as well, for staff', async () => {
    const path = '/api/murmuration/v1/admin/settings/thumbnail';
    const { token } = await server.createUser('olga');
    const send = async (bytes: Buffer, description: string) => {
      const body = new FormData();
      body.append('thumbnail', new Blob([new Uint8Array(bytes)]), 'birds.png');
      body.append('description', description);
      const response = await server.fetch(path, { method: 'PUT', body, token });
      return { status: response.status, body: (await response.json()) as { thumbnail: Thumbnail } };
    };
    const birds = await field(1_300, 700, '#226644').png().toBuffer();
    expect((await send(birds, '')).status).toBe(403);
    const shown = async () => (await json<{ thumbnail: Thumbnail }>('/api/v2/instance')).thumbnail;
    const before = await shown();
    await server.run('accounts', 'modify', 'olga', '--role', 'admin');
    expect((await send(Buffer.from('birds'), '')).status).toBe(422);
    expect((await send(Buffer.alloc(9 * 1_048_576), '')).status).toBe(413);
    expect((await send(birds, 'x'.repeat(10_000))).status).toBe(422);
    expect(await shown()).toEqual(before);
    const { body } = await send(birds, ' Birds ');
    expect(await shown()).toMatchObject({ description: 'Birds', versions: { '@2x': body.thumbnail.url } });
    expect(body.thumbnail).toMatchObject({ description: 'Birds' });
    const removed = await server.fetch(path, { method: 'DELETE', token });
    expect(await removed.json()).toMatchObject({ thumbnail: null });
    expect(await shown()).toEqual(before);
  });
});

test('no received file stays behind', async () => {
  const left = () =>
    readdirSync(join(server.dataDirectory, 'uploads'), { withFileTypes: true, recursive: true }).filter(
      (entry) => entry.isFile() || entry.name.endsWith('.avatar'),
    );
  await until(() => left().length === 0, { description: 'received files to be removed' });
});
