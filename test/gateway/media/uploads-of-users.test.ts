/** Media through the API of a running server: uploaded, described, attached, served and removed (specification 4.4). */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { film, filmTools, h264, pictures, sound, whyNoFilms } from '../../support/films.ts';
import { type RunningServer, startTestServer } from '../../support/server.ts';
import { until } from '../../support/until.ts';
import { type FormFields, formOf } from '../../support/upload.ts';
import type { User } from '../../support/users.ts';

let server: RunningServer;
let alice: User;
let bob: User;

beforeAll(async () => {
  server = await startTestServer();
  alice = await server.createUser('alice');
  bob = await server.createUser('bob');
});

afterAll(() => server.stop());

interface Entity {
  readonly id: string;
  readonly type: string;
  readonly url: string;
  readonly preview_url: string;
  readonly description: string | null;
  readonly blurhash: string | null;
  readonly meta: Record<string, Record<string, number>>;
  readonly error?: string;
}

const picture = (width = 64, height = 48) =>
  sharp({ create: { width, height, channels: 3, background: '#3366cc' } })
    .png()
    .toBuffer();

async function send(method: string, path: string, fields: FormFields, user = alice) {
  const response = await server.fetch(path, { method, body: formOf(fields), token: user.token });
  return { status: response.status, body: (await response.json()) as Entity };
}

async function ask<Body>(method: string, path: string, json?: unknown, user = alice) {
  const response = await server.fetch(path, { method, token: user.token, ...(json === undefined ? {} : { json }) });
  return { status: response.status, body: (await response.json()) as Body };
}

async function uploaded(fields: FormFields = {}, user = alice): Promise<Entity> {
  const { status, body } = await send('POST', '/api/v2/media', { file: await picture(), ...fields }, user);
  expect({ status, error: body.error }).toEqual({ status: 200, error: undefined });
  return body;
}

interface Status {
  readonly id: string;
  readonly error?: string;
  readonly edited_at: string | null;
  readonly media_attachments: readonly Entity[];
}

const post = (json: object, user = alice) => ask<Status>('POST', '/api/v1/statuses', json, user);
const idsOf = ({ media_attachments: attachments }: Status) => attachments.map(({ id }) => id);

describe('a picture', () => {
  test('is decoded before the answer, and served with its preview', async () => {
    const entity = await uploaded({ description: 'A blue field', focus: '0.5,-1.5' });
    expect(entity).toMatchObject({
      type: 'image',
      description: 'A blue field',
      blurhash: expect.stringMatching(/^U/),
      meta: {
        original: { width: 64, height: 48, size: '64x48', aspect: 64 / 48 },
        small: { width: 64, height: 48 },
        focus: { x: 0.5, y: -1 },
      },
    });
    for (const address of [entity.url, entity.preview_url]) {
      const response = await server.fetch(new URL(address).pathname);
      expect(response.status).toBe(200);
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'content-type': 'image/png',
        'cache-control': 'public, max-age=31536000, immutable',
        'content-security-policy': "default-src 'none'; sandbox",
        'access-control-allow-origin': '*',
        'accept-ranges': 'bytes',
      });
      expect(await sharp(Buffer.from(await response.arrayBuffer())).metadata()).toMatchObject({
        width: 64,
        height: 48,
      });
    }
  });

  test('can be changed and removed while it is attached to nothing', async () => {
    const { id } = await uploaded();
    const path = `/api/v1/media/${id}`;
    expect((await send('PUT', path, { description: 'Later', focus: '-1,0' })).body).toMatchObject({
      description: 'Later',
      meta: { focus: { x: -1, y: 0 } },
    });
    expect(await ask('GET', path)).toMatchObject({ status: 200, body: { description: 'Later' } });
    expect(await ask('DELETE', path)).toEqual({ status: 200, body: {} });
    for (const method of ['GET', 'PUT', 'DELETE']) expect((await ask(method, path)).status).toBe(404);
  });

  test('of somebody else does not exist', async () => {
    const { id } = await uploaded();
    for (const method of ['GET', 'PUT', 'DELETE'])
      expect((await ask(method, `/api/v1/media/${id}`, undefined, bob)).status).toBe(404);
    const { status, body } = await post({ status: 'Mine?', media_ids: [id] }, bob);
    expect({ status, error: body.error }).toEqual({
      status: 422,
      error: `Media ${id} not found or already attached to another post`,
    });
  });

  test('with the same bytes has the same address, and stays while one of them is there', async () => {
    const [first, second] = [await uploaded(), await uploaded()];
    expect(second!.url).toBe(first!.url);
    await ask('DELETE', `/api/v1/media/${first!.id}`);
    expect((await server.fetch(new URL(second!.url).pathname)).status).toBe(200);
  });
});

describe('attached media', () => {
  test('are shown in their order, without a text, to whoever sees the status', async () => {
    const [one, two] = [await uploaded({ description: 'one' }), await uploaded({ description: 'two' })];
    const { status, body } = await post({ media_ids: [two.id, one.id] });
    expect(status).toBe(200);
    expect(idsOf(body)).toEqual([two.id, one.id]);
    const seen = await ask<Status>('GET', `/api/v1/statuses/${body.id}`, undefined, bob);
    expect(seen.body.media_attachments).toEqual(body.media_attachments);
    const listed = await ask<Status[]>('GET', '/api/v1/timelines/public?only_media=true', undefined, bob);
    expect(listed.body.map(({ id }) => id)).toContain(body.id);
  });

  test('cannot be read, changed, removed or attached again', async () => {
    const { id } = await uploaded();
    await post({ status: 'Look', media_ids: [id] });
    for (const method of ['GET', 'PUT']) expect((await ask(method, `/api/v1/media/${id}`)).status).toBe(404);
    expect(await ask('DELETE', `/api/v1/media/${id}`)).toEqual({
      status: 422,
      body: { error: 'Media attachment is currently used by a status' },
    });
    expect((await post({ status: 'Again', media_ids: [id] })).status).toBe(422);
  });

  test('are at most four, without a poll beside them', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 5; count += 1) ids.push((await uploaded()).id);
    const tooMany = { status: 422, body: { error: 'Cannot attach more than 4 files' } };
    expect(await post({ media_ids: ids })).toEqual(tooMany);
    const poll = { options: ['a', 'b'], expires_in: 3_600 };
    expect(await post({ status: 'Which?', media_ids: ids.slice(0, 1), poll })).toEqual(tooMany);
    expect((await post({ media_ids: ids.slice(0, 4) })).status).toBe(200);
  });

  test('a repeated request with the same key attaches them once', async () => {
    const { id } = await uploaded();
    const once = async () => {
      const headers = { 'Idempotency-Key': `media ${id}`, 'Content-Type': 'application/json' };
      const body = JSON.stringify({ status: 'Once', media_ids: [id] });
      return (await (
        await server.fetch('/api/v1/statuses', { method: 'POST', headers, body, token: alice.token })
      ).json()) as Status;
    };
    const [first, second] = [await once(), await once()];
    expect(second).toMatchObject({ id: first.id });
    expect(idsOf(second)).toEqual([id]);
  });

  test('an edit replaces them, and says something else of them', async () => {
    const [one, two, three] = [await uploaded({ description: 'one' }), await uploaded(), await uploaded()];
    const { body } = await post({ status: 'Before', media_ids: [one.id, two.id] });
    const described = [{ id: one.id, description: 'first', focus: '0,1' }];
    const edited = await ask<Status>('PUT', `/api/v1/statuses/${body.id}`, {
      ...{ status: 'Before', media_ids: [three.id, one.id], media_attributes: described },
    });
    expect(idsOf(edited.body)).toEqual([three.id, one.id]);
    expect(edited.body.edited_at).not.toBeNull();
    expect(edited.body.media_attachments[1]).toMatchObject({ description: 'first', meta: { focus: { x: 0, y: 1 } } });
    const history = await ask<Status[]>('GET', `/api/v1/statuses/${body.id}/history`);
    expect(history.body.map(idsOf)).toEqual([
      [one.id, two.id],
      [three.id, one.id],
    ]);
    // An earlier version shows the dropped one: it can come back, and belongs to nobody else.
    expect((await post({ status: 'Other', media_ids: [two.id] })).status).toBe(422);
    const back = await ask<Status>('PUT', `/api/v1/statuses/${body.id}`, { status: 'Before', media_ids: [two.id] });
    expect(idsOf(back.body)).toEqual([two.id]);
    const without = await ask<Status>('PUT', `/api/v1/statuses/${body.id}`, { status: 'Before' });
    expect(idsOf(without.body)).toEqual([]);
  });

  test('of a deleted status can be attached again, unless they are to go with it', async () => {
    const { id } = await uploaded({ description: 'kept' });
    const first = await post({ status: 'First', media_ids: [id] });
    await ask('DELETE', `/api/v1/statuses/${first.body.id}`);
    expect((await ask('GET', `/api/v1/media/${id}`)).body).toMatchObject({ id, description: 'kept' });
    const second = await post({ status: 'Second', media_ids: [id] });
    expect(idsOf(second.body)).toEqual([id]);
    await ask('DELETE', `/api/v1/statuses/${second.body.id}?delete_media=true`);
    expect((await ask('GET', `/api/v1/media/${id}`)).status).toBe(404);
  });

  test('of a scheduled status are kept for it', async () => {
    const { id } = await uploaded();
    const later = new Date(Date.now() + 3_600_000).toISOString();
    interface Scheduled {
      readonly id: string;
      readonly params: { readonly media_ids: string[] };
      readonly media_attachments: readonly Entity[];
    }
    const { body } = await ask<Scheduled>('POST', '/api/v1/statuses', { media_ids: [id], scheduled_at: later });
    expect(body).toMatchObject({ params: { media_ids: [id] }, media_attachments: [{ id }] });
    expect((await post({ status: 'Now', media_ids: [id] })).status).toBe(422);
    await ask('DELETE', `/api/v1/scheduled_statuses/${body.id}`);
    expect((await post({ status: 'Now', media_ids: [id] })).status).toBe(200);
  });
});

describe('other servers', () => {
  test('are told of them as documents', async () => {
    const { id, url, blurhash } = await uploaded({ description: 'A field', focus: '0.25,0.75' });
    const { body } = await post({ status: 'For all', media_ids: [id] });
    const note = await server.fetch(`/users/alice/statuses/${body.id}`, {
      headers: { Accept: 'application/activity+json' },
    });
    expect(await note.json()).toMatchObject({
      attachment: [
        {
          ...{ type: 'Document', mediaType: 'image/png', url, name: 'A field', summary: 'A field', blurhash },
          ...{ width: 64, height: 48, focalPoint: [0.25, 0.75] },
        },
      ],
    });
  });
});

describe('served files', () => {
  test('ranges and conditions', async () => {
    const { url } = await uploaded();
    const { pathname } = new URL(url);
    const whole = await server.fetch(pathname);
    const bytes = Buffer.from(await whole.arrayBuffer());
    const some = await server.fetch(pathname, { headers: { Range: 'bytes=2-5' } });
    expect(some.status).toBe(206);
    expect(some.headers.get('content-range')).toBe(`bytes 2-5/${bytes.length}`);
    expect(Buffer.from(await some.arrayBuffer()).equals(bytes.subarray(2, 6))).toBe(true);
    const none = await server.fetch(pathname, { headers: { Range: `bytes=${bytes.length}-` } });
    expect(none.status).toBe(416);
    const known = await server.fetch(pathname, { headers: { 'If-None-Match': whole.headers.get('etag')! } });
    expect(known.status).toBe(304);
    const head = await server.fetch(pathname, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(bytes.length)]);
  });

  test.each([
    '..%2f..%2fmanifest.json',
    'manifest.json',
    `${'a'.repeat(43)}.png`,
    `${'a'.repeat(43)}.png%00`,
  ])('%s is not there', async (name) => {
    expect((await server.fetch(`/media/${name}`)).status).toBe(404);
  });
});

describe('refused', () => {
  const unverified = 'File type of uploaded media could not be verified';

  test.each<[string, () => Promise<Buffer> | Buffer]>([
    ['a text', () => Buffer.from('hello')],
    ['SVG', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['half a picture', async () => (await picture(400, 400)).subarray(0, 60)],
  ])('%s', async (_, make) => {
    const { status, body } = await send('POST', '/api/v2/media', { file: await make() });
    expect({ status, body }).toEqual({ status: 422, body: { error: unverified } });
  });

  test('no file', async () => {
    expect((await send('POST', '/api/v2/media', { description: 'Nothing' })).status).toBe(422);
  });

  test('a description that is too long', async () => {
    const { status, body } = await send('POST', '/api/v2/media', {
      file: await picture(),
      description: 'x'.repeat(10_001),
    });
    expect({ status, error: body.error }).toEqual({
      status: 422,
      error: 'Validation failed: Description is too long (maximum is 10000 characters)',
    });
  });

  test('nothing of it stays behind', async () => {
    const names = () => ['incoming', 'uploads'].flatMap((folder) => filesIn(join(server.dataDirectory, folder)));
    await until(() => names().length === 0, { description: 'refused files to be removed' });
  });
});

function filesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true }).flatMap((entry) =>
    entry.isFile() ? [entry.name] : [],
  );
}

// because films are decoded by programs of the system, which are not everywhere
describe.skipIf(filmTools === undefined)(`films and sounds${whyNoFilms}`, () => {
  async function ready({ status, body }: { status: number; body: Entity }): Promise<Entity> {
    expect([200, 202]).toContain(status);
    let entity = body;
    await until(async () => {
      const asked = await ask<Entity>('GET', `/api/v1/media/${body.id}`);
      entity = asked.body;
      return asked.status === 200;
    });
    return entity;
  }

  test('a film has its length and its first frame, and stands alone', async () => {
    const file = film('a.mp4', ...pictures(), ...sound(), ...h264, '-c:a', 'aac');
    const entity = await ready(await send('POST', '/api/v2/media', { file }));
    expect(entity).toMatchObject({
      type: 'video',
      meta: { original: { width: 96, height: 64, frame_rate: '10/1' }, small: { width: 96, height: 64 } },
    });
    expect(entity.url).toMatch(/\.mp4$/);
    expect(entity.preview_url).toMatch(/\.jpeg$/);
    const beside = await uploaded();
    expect((await post({ media_ids: [entity.id, beside.id] })).body).toEqual({
      error: 'Cannot attach a video to a post that already contains images',
    });
    const { body } = await post({ media_ids: [entity.id] });
    const note = await server.fetch(`/users/alice/statuses/${body.id}`, {
      headers: { Accept: 'application/activity+json' },
    });
    expect(await note.json()).toMatchObject({
      attachment: [{ mediaType: 'video/mp4', duration: 'PT1S', icon: { type: 'Image', url: entity.preview_url } }],
    });
  });

  test('a sound may have a picture of its own, also later', async () => {
    const file = film('a.mp3', ...sound(), '-c:a', 'libmp3lame');
    const entity = await ready(await send('POST', '/api/v2/media', { file, thumbnail: await picture(80, 80) }));
    const colours = { background: expect.stringMatching(/^#[0-9a-f]{6}$/), foreground: expect.any(String) };
    expect(entity).toMatchObject({ type: 'audio', meta: { small: { width: 80, height: 80 }, colors: colours } });
    const path = `/api/v1/media/${entity.id}`;
    const changed = await ready(await send('PUT', path, { thumbnail: await picture(90, 30) }));
    expect(changed).toMatchObject({ url: entity.url, meta: { small: { width: 90, height: 30 } } });
    expect(changed.preview_url).not.toBe(entity.preview_url);
    const { status, body } = await send('PUT', path, { thumbnail: Buffer.from('no picture') });
    expect([status, body.error]).toEqual([422, 'File type of uploaded media could not be verified']);
    expect((await ask<Entity>('GET', path)).body.preview_url).toBe(changed.preview_url);
  });

  test('an edit of its status gives a sound another picture', async () => {
    const file = film('a.mp3', ...sound(), '-c:a', 'libmp3lame');
    const entity = await ready(await send('POST', '/api/v2/media', { file, thumbnail: await picture(80, 80) }));
    const { body } = await post({ status: 'Song', media_ids: [entity.id] });
    const path = `/api/v1/statuses/${body.id}`;
    const edit = async (index: string, thumbnail: Buffer, mediaId = entity.id) => {
      const attributes = `media_attributes[${index}]`;
      const form = { status: 'Song', 'media_ids[]': entity.id, [`${attributes}[id]`]: mediaId };
      const response = await send('PUT', path, { ...form, [`${attributes}[thumbnail]`]: thumbnail });
      return { status: response.status, body: response.body as unknown as Status };
    };
    const edited = await edit('', await picture(90, 30));
    expect(edited).toMatchObject({ status: 200, body: { edited_at: expect.any(String) } });
    const [attachment] = edited.body.media_attachments;
    expect(attachment).toMatchObject({ id: entity.id, url: entity.url, meta: { small: { width: 90, height: 30 } } });
    expect((await fetch(attachment!.preview_url)).status).toBe(200);
    const { body: versions } = await ask<Status[]>('GET', `${path}/history`);
    expect(versions.map((version) => version.media_attachments[0]!.preview_url)).toEqual([
      entity.preview_url,
      attachment!.preview_url,
    ]);
    const refused = await edit('0', Buffer.from('no picture'));
    expect([refused.status, refused.body.error]).toEqual([422, 'File type of uploaded media could not be verified']);
    const { body: after } = await ask<Status>('GET', path);
    expect(after.media_attachments[0]!.preview_url).toBe(attachment!.preview_url);
    expect((await ask('PUT', `/api/v1/media/${entity.id}`, { description: 'Later' })).status).toBe(404);
  });

  test('a GIF that moves is a film that repeats', async () => {
    const entity = await ready(await send('POST', '/api/v2/media', { file: film('a.gif', ...pictures('64x48', 5)) }));
    expect(entity).toMatchObject({ type: 'gifv', meta: { original: { width: 64, height: 48 } } });
  });

  test('a picture takes no other picture', async () => {
    const { status, body } = await send('POST', '/api/v2/media', { file: await picture(), thumbnail: await picture() });
    expect({ status, error: body.error }).toEqual({
      status: 422,
      error: 'Thumbnails are only for videos and sounds',
    });
  });
});
