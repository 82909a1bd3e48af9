/** Films of other servers are shown while they come: a gateway over real downloads, from origins that the test holds back. */
import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { mediaProxyRoute } from '../../../src/gateway/files/media-proxy-route.ts';
import { Addresses } from '../../../src/services/addresses.ts';
import type { RemoteFileReply } from '../../../src/services/media/remote-media.ts';
import { useTestBed } from '../../outbound/fetcher/test-bed.ts';
import { remoteFilesOf } from '../../outbound/media/remote-files-of.ts';
import { film, filmTools, h264, pictures, sound, whyNoFilms } from '../../support/films.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { until } from '../../support/until.ts';

const bed = useTestBed();
/** Less than the film. */
const firstBytes = 20_000;
const addresses = new Addresses('https://social.example', undefined, undefined, () => 'a key');
let gateway: TestGateway;
let wanted: Buffer;
let answering: ServerResponse | undefined;

beforeAll(async () => {
  gateway = await startTestGateway({ endpoints: [], rawRoutes: [mediaProxyRoute] });
});

afterAll(() => gateway.close());

beforeEach(() => {
  answering = undefined;
});

/** An origin that sends the beginning, and the rest as the test says. */
async function begin(headers: Record<string, string | number> = { 'content-length': wanted.length }) {
  const host = await bed.host((_request, response) => {
    answering = response.writeHead(200, headers);
    response.write(wanted.subarray(0, firstBytes));
  });
  const remote = await remoteFilesOf(bed);
  Object.assign(gateway.services, { addresses, remoteMedia: remote.files });
  const address = `${host.origin}/film.mp4`;
  const shown = new URL(addresses.shownMedia(address, 'film', {})!).pathname;
  const get = (range?: string) => fetch(`${gateway.origin}${shown}`, { headers: range === undefined ? {} : { range } });
  return { host, address, get, ...remote };
}

async function bytesOf(response: Promise<Response>): Promise<Buffer> {
  return Buffer.from(await (await response).arrayBuffer());
}

async function read(reader: ReadableStreamDefaultReader<Uint8Array>, count: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for (let bytes = 0; bytes < count; ) {
    const { value } = await reader.read();
    chunks.push(value!);
    bytes += value!.length;
  }
  return Buffer.concat(chunks);
}

// because films are made by programs of the system, which are not everywhere
describe.skipIf(filmTools === undefined)(`films that are still coming${whyNoFilms}`, () => {
  beforeAll(() => {
    wanted = film('a.mp4', ...pictures('320x240', 20, 3), ...sound(3), ...h264, '-movflags', '+faststart');
    expect(wanted.length).toBeGreaterThan(2 * firstBytes);
  });

  test('what has come is shown at once, and what has not when it comes: all of one download', async () => {
    const { host, get, outcomes, left, ask, address } = await begin();
    const whole = await get();
    expect(whole.status).toBe(200);
    expect(whole.headers.get('content-length')).toBe(String(wanted.length));
    expect(whole.headers.get('content-type')).toBe('video/mp4');
    const reader = whole.body!.getReader();
    expect((await read(reader, firstBytes)).equals(wanted.subarray(0, firstBytes))).toBe(true);

    const end = await get('bytes=-100');
    const across = await get(`bytes=${firstBytes - 10}-${firstBytes + 9}`);
    expect([end.status, across.status]).toEqual([206, 206]);
    // More wait now than files are read at a time.
    const beginning = await get('bytes=0-1');
    expect([beginning.status, beginning.headers.get('content-range')]).toEqual([206, `bytes 0-1/${wanted.length}`]);
    expect(await bytesOf(Promise.resolve(beginning))).toEqual(wanted.subarray(0, 2));
    expect((await get(`bytes=${wanted.length}-`)).status).toBe(416);

    answering!.end(wanted.subarray(firstBytes));
    expect(await bytesOf(Promise.resolve(end))).toEqual(wanted.subarray(-100));
    expect(await bytesOf(Promise.resolve(across))).toEqual(wanted.subarray(firstBytes - 10, firstBytes + 10));
    const rest = await read(reader, wanted.length - firstBytes);
    expect(rest.equals(wanted.subarray(firstBytes))).toBe(true);

    expect(await ask(address, 'film')).toMatchObject({ state: 'kept' });
    const kept = await get();
    expect(kept.headers.get('etag')).toBe(whole.headers.get('etag'));
    expect((await bytesOf(Promise.resolve(kept))).equals(wanted)).toBe(true);
    expect([host.requests.length, outcomes.filter((outcome) => outcome === 'fetched').length]).toEqual([1, 1]);
    await until(async () => (await left()) === 0, { description: 'the folder of the download to go' });
  });

  test('a download that breaks off ends what is being sent, and leaves nothing', async () => {
    const { get, ask, address, left, cached } = await begin();
    const [whole, end] = [await get(), await get('bytes=-100')];
    answering!.destroy();
    await expect(bytesOf(Promise.resolve(whole))).rejects.toThrow();
    await expect(bytesOf(Promise.resolve(end))).rejects.toThrow();
    expect(await ask(address, 'film')).toEqual({ state: 'unreachable' });
    expect([await left(), cached.bytes]).toEqual([0, 0]);
    expect((await get()).status).toBe(503);
    expect(gateway.log).toEqual([]);
  });

  test('a reader who leaves does not end the download', async () => {
    const { get, ask, address } = await begin();
    const left = await get('bytes=-100');
    await left.body!.cancel();
    answering!.end(wanted.subarray(firstBytes));
    expect(await ask(address, 'film')).toMatchObject({ state: 'kept' });
  });

  test('a film of unknown length is shown when it is whole', async () => {
    const { get, files, address } = await begin({});
    const whole = get();
    await until(() => answering !== undefined, { description: 'the download to begin' });
    const before: RemoteFileReply = await files.file({ kind: 'film', address, mayFetch: false });
    expect(before).toEqual({ state: 'absent' });
    answering!.end(wanted.subarray(firstBytes));
    expect((await bytesOf(whole)).equals(wanted)).toBe(true);
  });
});

test('what says that it is a film and is none is never shown', async () => {
  wanted = Buffer.from(`<html>${'lies '.repeat(20_000)}</html>`);
  const { get, files, address } = await begin();
  const whole = get();
  await until(() => answering !== undefined, { description: 'the download to begin' });
  answering!.write(wanted.subarray(firstBytes, 2 * firstBytes));
  expect(await files.file({ kind: 'film', address, mayFetch: false })).toEqual({ state: 'absent' });
  answering!.end(wanted.subarray(2 * firstBytes));
  expect((await whole).status).toBe(404);
});
