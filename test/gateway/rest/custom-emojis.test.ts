/**
 * Custom emojis of this server: added and removed by command, listed, and shown in what is written here: through the
 * API, in streams, on pages and to other servers (behaviour of the Mastodon API).
 */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { Instance, instanceKey } from '../../../src/actors/instance/instance.messages.ts';
import { listCustomEmojis } from '../../../src/actors/instance/instance.queries.ts';
import { customEmojis } from '../../../src/actors/instance/instance.state.ts';
import { instanceLimits } from '../../../src/actors/instance/limits.ts';
import { rawRoutes } from '../../../src/gateway/raw-routes.ts';
import { endpoints } from '../../../src/gateway/rest/endpoints.ts';
import { putEmoji } from '../../../src/operations/administration/emojis.ts';
import { unlimited } from '../../../src/operations/rate-limits.ts';
import { editStatus } from '../../../src/operations/statuses/edit-status.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { addWithToken } from '../../support/sign-up.ts';
import { openStream } from '../../support/stream-readers.ts';
import { typed } from '../operator/typing.ts';

interface Shown {
  readonly id: string;
  readonly emojis: readonly object[];
}

const teal = 'https://files.example/teal.gif';
const still = 'https://files.example/teal.png';
const wigeon = 'https://files.example/wigeon.png';
const shownTeal = { shortcode: 'teal', url: teal, static_url: still, visible_in_picker: true, category: null };
const shownWigeon = { ...shownTeal, shortcode: 'Wigeon_2', url: wigeon, static_url: wigeon };

let gateway: TestGateway;
let alice: { id: bigint; token: string };
let bob: { id: bigint; token: string };

beforeAll(async () => {
  gateway = startTestGateway({ endpoints, rawRoutes, streams: true });
  alice = await addWithToken(gateway, 'alice', { role: 'admin' });
  bob = await addWithToken(gateway, 'bob', { role: 'moderator' });
});

afterEach(async () => {
  for (const { shortcode } of listCustomEmojis(gateway.actors.read)) await type(`emojis remove ${shortcode}`);
});

afterAll(async () => {
  expect(gateway.log).toEqual([]);
  await gateway.close();
});

const type = (line: string) => typed(gateway.services, line);

async function addBoth(): Promise<void> {
  expect(await type(`emojis add teal --image ${teal} --static-image ${still}`)).toMatchObject({
    printed: ['Added :teal:'],
  });
  await type(`emojis add Wigeon_2 --image ${wigeon}`);
}

async function ask<Body = Shown>(method: string, path: string, json?: object): Promise<Body> {
  const { status, body } = await gateway.json(`/api/${path}`, { method, token: alice.token, ...(json && { json }) });
  expect([path, status]).toEqual([path, 200]);
  return body as Body;
}

const write = (status: string, more: object = {}) => ask('POST', 'v1/statuses', { status, ...more });
const context = () => {
  const caller = { kind: 'account' as const, accountId: alice.id, limits: unlimited };
  return { caller, services: gateway.services };
};
const read = async (path: string, accept: string) => (await gateway.fetch(path, { headers: { accept } })).text();
const documentOf = async (path: string) => JSON.parse(await read(path, 'application/activity+json'));

describe('the commands', () => {
  test('add, replace, list and remove', async () => {
    expect((await type('emojis list')).printed).toEqual(['There are no custom emojis.']);
    await addBoth();
    await type(`emojis add teal --image ${wigeon} --category "Ducks of here" --hidden`);
    const lines = [`:Wigeon_2:  ${wigeon}`, `:teal:  ${wigeon}  (Ducks of here, hidden)`];
    expect((await type('emojis list')).printed).toEqual(lines);
    expect((await type('emojis remove teal')).printed).toEqual(['Removed :teal:']);
    expect((await type('emojis list')).printed).toEqual(lines.slice(0, 1));
  });

  test.each([
    ['add b --image https://a.example/b.png', 1, 'b is not a shortcode'],
    ['add :teal: --image https://a.example/b.png', 1, ':teal: is not a shortcode'],
    ['add teal', 2, '--image'],
    ['add teal --image teal.png', 1, 'teal.png is not the address of a picture: not a URL'],
    ['add teal --image http://a.example/b.png', 1, 'scheme not allowed'],
    ['add teal --image data:image/png;base64,AAAA', 1, 'scheme not allowed'],
    ['add teal --image https://u:p@a.example/b.png', 1, 'credentials'],
    ['add teal --image https://a.example/b.png --static-image /b.png', 1, '/b.png is not the address'],
    [`add teal --image https://a.example/b.png --category ${'x'.repeat(101)}`, 1, 'at most 100 characters'],
    ['remove teal', 1, 'There is no custom emoji teal.'],
  ])('emojis %s is refused', async (line, code, sentence) => {
    const refused = await type(`emojis ${line}`);
    expect([refused.code, refused.complaints[0]]).toEqual([code, expect.stringContaining(sentence)]);
    expect((await type('emojis list')).printed).toEqual(['There are no custom emojis.']);
  });

  test('allow the addresses that the server itself may contact, and its own', async () => {
    await type('emojis add teal --image https://social.example/teal.png');
    const options = { ...gateway.services.options, federationAllowHttp: true };
    await typed({ ...gateway.services, options }, 'emojis add wigeon --image http://a.example/b.png');
    expect((await type('emojis list')).printed).toHaveLength(2);
  });

  test('add no more than there may be, but replace', async () => {
    const stored = { url: teal, staticUrl: teal, visibleInPicker: true };
    const shortcodes = Array.from({ length: instanceLimits.customEmojisMax }, (_, number) => `n${number}`);
    gateway.actors.turn(Instance.actor, instanceKey, (turn) => {
      for (const shortcode of shortcodes) turn.put(customEmojis, [instanceKey, shortcode], { ...stored, shortcode });
    });
    const refused = await type(`emojis add teal --image ${teal}`);
    expect([refused.code, refused.complaints]).toEqual([1, [expect.stringContaining('too many custom emojis')]]);
    expect((await type(`emojis add n20 --image ${wigeon}`)).code).toBe(0);
    gateway.actors.turn(Instance.actor, instanceKey, (turn) => {
      for (const shortcode of shortcodes) turn.delete(customEmojis, [instanceKey, shortcode]);
    });
  });
});

test('accounts need the permission', async () => {
  const emoji = { shortcode: 'teal', image: teal, isHidden: false };
  const as = ({ id: accountId }: typeof bob) => ({ ...context(), caller: { ...context().caller, accountId } });
  expect(() => putEmoji(as(bob), emoji)).toThrow(expect.objectContaining({ code: 'forbidden' }));
  await putEmoji(as(alice), emoji);
  expect(listCustomEmojis(gateway.actors.read)).toMatchObject([{ shortcode: 'teal' }]);
});

test('hidden ones are not listed', async () => {
  await addBoth();
  await type(`emojis add teal --image ${teal} --static-image ${still} --category Ducks`);
  await type(`emojis add goose --image ${teal} --hidden`);
  expect(await ask('GET', 'v1/custom_emojis')).toEqual([
    { ...shownWigeon, featured: false },
    { ...shownTeal, category: 'Ducks', featured: false },
  ]);
});

describe('a status', () => {
  test('has those of its text, of its content warning and of the options of its poll', async () => {
    await addBoth();
    expect((await write('Hello :teal: :goose:')).emojis).toEqual([shownTeal]);
    expect((await write('Hello :teal:b')).emojis).toEqual([]);
    expect((await write('Hello', { spoiler_text: ':Wigeon_2: :teal:' })).emojis).toEqual([shownWigeon, shownTeal]);
    const poll = { options: ['One :teal:', 'None'], expires_in: 3_600 };
    const asked = await write('Which :Wigeon_2:?', { poll });
    expect(asked).toMatchObject({ emojis: [shownWigeon, shownTeal], poll: { emojis: [shownTeal] } });
    expect(await ask('GET', `v1/polls/${asked.id}`)).toMatchObject({ emojis: [shownTeal] });
  });

  test('keeps them until it is edited', async () => {
    await addBoth();
    const { id } = await write('Hello :teal:');
    await type('emojis remove teal');
    expect((await ask('GET', `v1/statuses/${id}`)).emojis).toEqual([shownTeal]);
    gateway.actors.clock.advance(1_000);
    const edited = await ask('PUT', `v1/statuses/${id}`, { status: 'Hello :teal: and :Wigeon_2:' });
    expect(edited.emojis).toEqual([shownWigeon]);
    const versions = await ask<Shown[]>('GET', `v1/statuses/${id}/history`);
    expect(versions.map(({ emojis }) => emojis)).toEqual([[shownTeal], [shownWigeon]]);
  });

  test('keeps those of a poll that stays', async () => {
    await addBoth();
    const poll = { options: ['One :teal:', 'None'], expires_in: 3_600 };
    const { id } = await write('Which?', { poll });
    gateway.actors.clock.advance(1_000);
    const kept = { statusId: BigInt(id), text: 'Which one?', spoilerText: '', keepsPoll: true };
    await editStatus(context(), kept);
    expect(await ask('GET', `v1/statuses/${id}`)).toMatchObject({ emojis: [shownTeal], poll: { emojis: [shownTeal] } });
  });

  test('shows them in streams, on its page and to other servers', async () => {
    await addBoth();
    const stream = await openStream(gateway, 'websocket', { channel: 'user', token: alice.token });
    const { id } = await write('Hello :teal:');
    const { payload } = await stream.next(({ event }) => event === 'update');
    expect(payload).toMatchObject({ id, emojis: [shownTeal] });
    stream.close();
    expect(await read(`/@alice/${id}`, 'text/html')).toContain(
      `<img class="emoji" src="${still}" alt=":teal:" title=":teal:" loading="lazy">`,
    );
    const document = await documentOf(`/users/alice/statuses/${id}`);
    expect(document.tag).toEqual([{ type: 'Emoji', name: ':teal:', icon: { type: 'Image', url: teal } }]);
    expect(JSON.stringify(document['@context'])).toContain('"Emoji":"toot:Emoji"');
  });
});

describe('a profile', () => {
  const change = (json: object) => ask('PATCH', 'v1/accounts/update_credentials', json);

  test('has those of all its texts after each change', async () => {
    await addBoth();
    expect((await change({ display_name: 'Alice :teal:' })).emojis).toEqual([shownTeal]);
    expect((await change({ note: 'With :Wigeon_2:' })).emojis).toEqual([shownTeal, shownWigeon]);
    const fields_attributes = [{ name: 'Duck', value: ':teal:' }];
    expect((await change({ display_name: 'Alice', fields_attributes })).emojis).toEqual([shownWigeon, shownTeal]);
    expect(await read('/@alice', 'text/html')).toContain(`<img class="emoji" src="${still}"`);
    const tag = [wigeon, teal].map((url) => expect.objectContaining({ icon: { type: 'Image', url } }));
    expect((await documentOf('/users/alice')).tag).toEqual(tag);
    await type('emojis remove teal');
    expect((await ask('GET', `v1/accounts/${alice.id}`)).emojis).toEqual([shownWigeon, shownTeal]);
    expect((await change({ locked: true })).emojis).toEqual([shownWigeon]);
    expect((await change({ note: '', fields_attributes: [{ name: '', value: '' }] })).emojis).toEqual([]);
  });
});

test('reactions to announcements may be custom emojis', async () => {
  await addBoth();
  await type('announcements publish "Ducks :teal:"');
  const [{ id }] = await ask<[Shown]>('GET', 'v1/announcements');
  await ask('PUT', `v1/announcements/${id}/reactions/Wigeon_2`);
  expect(await ask('GET', 'v1/announcements')).toMatchObject([
    { emojis: [shownTeal], reactions: [{ name: 'Wigeon_2', count: 1, url: wigeon }] },
  ]);
});
