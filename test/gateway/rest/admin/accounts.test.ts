/** The endpoints of accounts as staff see them, and of decisions about local ones. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Account } from '../../../../src/actors/account/account.messages.ts';
import { mailOf } from '../../../../src/actors/account/mail/mail.queries.ts';
import { findLogin } from '../../../../src/actors/account/profile/logins.queries.ts';
import { findKeyPair, findStatusRecord } from '../../../../src/actors/account/remote/federation.queries.ts';
import { refreshProfile } from '../../../../src/actors/account/remote/remote.effects.ts';
import { auditPage } from '../../../../src/actors/audit.queries.ts';
import { Directory } from '../../../../src/actors/directory/directory.messages.ts';
import { noteDocument } from '../../../../src/federation/documents/note-document.ts';
import { AdminAccountEntity } from '../../../../src/gateway/entities/admin/accounts.ts';
import { endpoints } from '../../../../src/gateway/rest/endpoints.ts';
import { problemsOf } from '../../../support/answer-shapes.ts';
import { startTestGateway, type TestGateway } from '../../../support/gateway.ts';
import type { Person } from '../../../support/observer.ts';
import { People } from '../../../support/people.ts';
import { testProfile } from '../../../support/profile.ts';
import { addAccount, addWithToken } from '../../../support/sign-up.ts';

let gateway: TestGateway;
let token: string;
let ownId: bigint;

beforeAll(async () => {
  gateway = startTestGateway({ endpoints });
  ({ token, id: ownId } = await addWithToken(gateway, 'mona', { role: 'moderator' }));
});

afterAll(async () => {
  expect(gateway.log).toEqual([]);
  await gateway.close();
});

const ask = (method: string, id: bigint | string, verb = '') =>
  gateway.json(`/api/v1/admin/accounts/${id}${verb}`, { method, token });

test('an account that waits is shown with its reason, and approved', async () => {
  const id = await addAccount(gateway.actors, 'bob', { approved: false, reason: 'I like birds' });
  const { status, body } = await ask('GET', id);
  expect([status, problemsOf(AdminAccountEntity, body)]).toEqual([200, '']);
  expect(body).toMatchObject({
    id: String(id),
    username: 'bob',
    domain: null,
    email: 'bob@example.org',
    invite_request: 'I like birds',
    role: { id: '0' },
    confirmed: true,
    approved: false,
    account: { acct: 'bob' },
  });
  const approved = await ask('POST', id, '/approve');
  expect(approved).toMatchObject({ status: 200, body: { approved: true } });
  expect(problemsOf(AdminAccountEntity, approved.body)).toBe('');
  const again = { status: 403, body: { error: 'This action is not allowed' } };
  expect(await ask('POST', id, '/approve')).toMatchObject(again);
});

test.each([
  ['enable', 'disabled', { disabled: true }],
  ['unsilence', 'silenced', { limited: true }],
  ['unsuspend', 'suspended', { suspended: true }],
] as const)('%s ends that an account is %s', async (verb, field, change) => {
  const id = await addAccount(gateway.actors, `is_${field}`);
  await gateway.actors.call(Account.changeLogin.to(id, change));
  expect((await ask('GET', id)).body).toMatchObject({ [field]: true });
  expect(await ask('POST', id, `/${verb}`)).toMatchObject({ status: 200, body: { [field]: false } });
});

const act = (id: bigint | string, form: object) =>
  gateway.json<{ error?: string }>(`/api/v1/admin/accounts/${id}/action`, { method: 'POST', token, json: form });

test.each([
  ['sensitive', 'sensitized', 'unsensitive'],
  ['silence', 'silenced', 'unsilence'],
  ['disable', 'disabled', 'enable'],
  ['suspend', 'suspended', 'unsuspend'],
])('an action: %s', async (type, field, end) => {
  const { id, token: own } = await addWithToken(gateway, `for_${type}`);
  expect(await act(id, { type, text: 'Spam' })).toMatchObject({ status: 200, body: {} });
  expect((await ask('GET', id)).body).toMatchObject({ [field]: true });
  const refused = type === 'disable' || type === 'suspend';
  const home = await gateway.json('/api/v1/timelines/home', { token: own });
  expect(home.status).toBe(refused ? 403 : 200);
  expect((await act(id, { type })).body.error).toMatch(/already by mona, since /);
  expect(await ask('POST', id, `/${end}`)).toMatchObject({ status: 200, body: { [field]: false } });
  const told = await gateway.json('/api/v1/notifications', { token: own });
  expect(told.body).toMatchObject([{ type: 'moderation_warning', moderation_warning: { action: type, text: 'Spam' } }]);
});

test('a sign-up is rejected, and what a suspended account left is removed, only where that may be', async () => {
  const eve = await addAccount(gateway.actors, 'eve', { approved: false });
  expect(await ask('POST', eve, '/reject')).toEqual({ status: 200, body: {} });
  expect((await ask('GET', eve)).status).toBe(404);
  const dan = await addAccount(gateway.actors, 'dan');
  expect((await ask('POST', dan, '/reject')).status).toBe(403);
  expect((await ask('DELETE', dan)).status).toBe(403);
  const { token: ofAda } = await addWithToken(gateway, 'ada', { role: 'admin' });
  const remove = () => gateway.json(`/api/v1/admin/accounts/${dan}`, { method: 'DELETE', token: ofAda });
  expect((await remove()).status).toBe(403);
  await act(dan, { type: 'suspend' });
  expect(await remove()).toEqual({ status: 200, body: {} });
  expect((await ask('GET', dan)).body).toMatchObject({ suspended: true });
});

test.each(['sign_out', 'reset_password'])('%s ends all that is signed in, and is for admins', async (verb) => {
  const { id, token: own } = await addWithToken(gateway, `signed_${verb}`);
  expect((await ask('POST', id, `/${verb}`)).status).toBe(403);
  const { token: ofAda } = await addWithToken(gateway, `ada_${verb}`, { role: 'admin' });
  const { status, body } = await gateway.json(`/api/v1/admin/accounts/${id}/${verb}`, { method: 'POST', token: ofAda });
  expect([status, problemsOf(AdminAccountEntity, body)]).toEqual([200, '']);
  expect((await gateway.json('/api/v1/timelines/home', { token: own })).status).toBe(401);
});

test('new keys are for admins to make, and only for who has some', async () => {
  const { id } = await addWithToken(gateway, 'keyed');
  const { token: ofAda } = await addWithToken(gateway, 'ada_keys', { role: 'admin' });
  const path = `/api/murmuration/v1/admin/accounts/${id}/rotate_keys`;
  const rotate = (who: string) => gateway.json(path, { method: 'POST', token: who });
  expect([(await rotate(token)).status, (await rotate(ofAda)).status]).toEqual([403, 422]);
  const pair = { publicKeyPem: 'public', privateKeyPem: 'private', createdAt: 0 };
  await gateway.actors.call(Account.setKeysIfAbsent.to(BigInt(id), pair));
  const { status, body } = await rotate(ofAda);
  expect([status, problemsOf(AdminAccountEntity, body)]).toEqual([200, '']);
  expect(findKeyPair(gateway.services.snapshots, BigInt(id))!.publicKeyPem).toContain('PUBLIC KEY');
});

test('another address is asked for by a link, which admins may do, and nobody learns it from the log', async () => {
  const { id } = await addWithToken(gateway, 'lost');
  const { token: ofAda } = await addWithToken(gateway, 'ada_email', { role: 'admin' });
  const path = `/api/murmuration/v1/admin/accounts/${id}/email`;
  const change = (who: string, email: string) => gateway.json(path, { method: 'POST', token: who, json: { email } });
  expect((await change(token, 'lost@other.example')).status).toBe(403);
  for (const wrong of ['', 'nobody', 'lost@example.org'])
    expect([wrong, (await change(ofAda, wrong)).status]).toEqual([wrong, 422]);
  const { status, body } = await change(ofAda, ' lost@other.example ');
  expect([status, problemsOf(AdminAccountEntity, body)]).toEqual([200, '']);
  const { confirmation } = mailOf(gateway.services.snapshots, BigInt(id));
  expect(confirmation?.email).toBe('lost@other.example');
  expect(findLogin(gateway.services.snapshots, BigInt(id))?.email).not.toContain('other.example');
  const [entry] = auditPage(gateway.services.snapshots, { action: 'changeEmail' }, { limit: 1 }).items;
  expect(entry).toMatchObject({ name: 'lost', changes: [{ field: 'email' }] });
  expect(JSON.stringify(entry?.changes)).not.toContain('example');
});

const ofAdmin = async (name: string) => {
  const { token: who } = await addWithToken(gateway, name, { role: 'admin' });
  return (id: string, verb: string) =>
    gateway.json(`/api/murmuration/v1/admin/accounts/${id}/${verb}`, { method: 'POST', token: who });
};

test('the account of somebody who has died is kept in memory until it is enabled', async () => {
  const { id, token: own } = await addWithToken(gateway, 'dora');
  const decide = await ofAdmin('ada_memory');
  const shown = async () => (await gateway.json(`/api/v1/accounts/${id}`)).body;
  const path = `/api/murmuration/v1/admin/accounts/${id}/memorialize`;
  expect((await gateway.json(path, { method: 'POST', token })).status).toBe(403);
  const { status, body } = await decide(String(id), 'memorialize');
  expect([status, problemsOf(AdminAccountEntity, body)]).toEqual([200, '']);
  expect(body).toMatchObject({ disabled: true, account: { memorial: true } });
  expect(await shown()).toMatchObject({ memorial: true });
  expect((await gateway.json('/api/v1/timelines/home', { token: own })).status).toBe(403);
  expect((await decide(String(id), 'memorialize')).status).toBe(422);
  expect((await ask('POST', id, '/enable')).body).toMatchObject({ disabled: false });
  expect(await shown()).not.toHaveProperty('memorial');
  const about = { action: 'memorializeAccount', target: 'account', targetId: String(id) } as const;
  const [decided] = auditPage(gateway.services.snapshots, about, { limit: 1 }).items;
  expect(decided?.changes).toMatchObject([{ field: 'disabled' }, { field: 'memorial', after: true }]);
});

test('the address of a suspended account is blocked in all spellings, until staff or the end of the suspension unblock it', async () => {
  const { id } = await addWithToken(gateway, 'sue');
  const { email } = findLogin(gateway.actors.read, id)!;
  const [local, host] = email.split('@');
  const spelling = `${local}+again@${host}`;
  const { token: tester } = await addWithToken(gateway, 'ada_tester', { role: 'admin' });
  const isBlocked = async () => {
    const asked = { method: 'POST', token: tester, json: { email: spelling } };
    return (await gateway.json<unknown[]>('/api/v1/admin/canonical_email_blocks/test', asked)).body.length === 1;
  };
  const unblock = (who: string) =>
    gateway.json(`/api/murmuration/v1/admin/accounts/${id}/unblock_email`, { method: 'POST', token: who });
  expect([await isBlocked(), (await unblock(token)).status]).toEqual([false, 422]);
  await act(id, { type: 'suspend' });
  expect(await isBlocked()).toBe(true);
  const { token: other } = await addWithToken(gateway, 'una_user');
  expect((await unblock(other)).status).toBe(403);
  const { status, body } = await unblock(token);
  expect([status, problemsOf(AdminAccountEntity, body), await isBlocked()]).toEqual([200, '', false]);
  expect(body).toMatchObject({ suspended: true });
  expect((await unblock(token)).status).toBe(422);
  const about = { action: 'unblockAccountEmail', target: 'account', targetId: String(id) } as const;
  expect(auditPage(gateway.services.snapshots, about, { limit: 5 }).items).toHaveLength(1);
  await ask('POST', id, '/unsuspend');
  await act(id, { type: 'suspend' });
  expect(await isBlocked()).toBe(true);
  await ask('POST', id, '/unsuspend');
  expect(await isBlocked()).toBe(false);
});

test('the server of an account is asked for its profile again, which is for nobody else', async () => {
  const decide = await ofAdmin('ada_refetch');
  const uri = 'https://birds.example/users/ron';
  const remote = { uri, url: uri, inbox: `${uri}/inbox`, publicKeyId: `${uri}#key`, publicKeyPem: '' };
  const profile = {
    ...testProfile({ username: 'ron', domain: 'birds.example', remote }),
    fetchedAt: gateway.services.now(),
  };
  const { accountId } = await gateway.actors.call(Directory.learn.to(uri, { profile }));
  const asked = () => gateway.actors.effects.filter(({ effect }) => effect === refreshProfile.number).length;
  const before = asked();
  expect([(await decide(String(accountId), 'refetch')).status, asked()]).toEqual([200, before + 1]);
  expect((await decide(String(ownId), 'refetch')).status).toBe(422);
  await act(String(accountId), { type: 'suspend' });
  expect([(await decide(String(accountId), 'refetch')).status, asked()]).toEqual([422, before + 1]);
});

test('an action without a type, of an unknown type, with an unknown report or text is refused', async () => {
  const { id } = await addWithToken(gateway, 'harmless');
  expect((await act(id, {})).status).toBe(422);
  expect((await act(id, { type: 'scold' })).status).toBe(422);
  expect((await act(id, { type: 'none', text: 'x'.repeat(2_001) })).status).toBe(422);
  expect((await act(id, { type: 'suspend', report_id: '1' })).status).toBe(404);
  expect((await act(id, { type: 'suspend', warning_preset_id: '1' })).status).toBe(404);
  expect((await act(ownId, { type: 'suspend' })).status).toBe(403);
  expect((await ask('GET', id)).body).toMatchObject({ suspended: false });
});

test('media of an account that is sensitive are so for everybody else, in the API, on pages and for other servers', async () => {
  const { id, token: own } = await addWithToken(gateway, 'painter');
  const text = 'a ,"sensitive":false,"spoiler_text": b';
  const posted = await gateway.json<{ id: string }>('/api/v1/statuses', {
    method: 'POST',
    token: own,
    json: { status: text },
  });
  const path = `/api/v1/statuses/${posted.body.id}`;
  const shown = async (who?: string) => (await gateway.json(path, who === undefined ? {} : { token: who })).body;
  const { presenter, snapshots, addresses } = gateway.services;
  const statusId = BigInt(posted.body.id);
  const isShownToOthers = () => presenter.view(statusId, undefined, 'thread')?.status.sensitive;
  const document = () => noteDocument(snapshots, addresses, findStatusRecord(snapshots, statusId)!, 'painter');
  for (const is of [true, false]) {
    if (is) await act(id, { type: 'sensitive' });
    else await ask('POST', id, '/unsensitive');
    for (const who of [undefined, token])
      expect(await shown(who)).toMatchObject({ sensitive: is, content: expect.stringContaining('sensitive') });
    expect(await shown(own)).toMatchObject({ sensitive: false });
    expect([isShownToOthers(), document().sensitive]).toEqual([is, is]);
  }
});

test('nobody decides about an equal, and unknown accounts are not found', async () => {
  expect((await ask('POST', ownId, '/enable')).status).toBe(403);
  for (const id of ['1', 'word']) {
    expect((await ask('GET', id)).status).toBe(404);
    expect((await ask('POST', id, '/approve')).status).toBe(404);
  }
});

/** Robin posts, is followed by wren, and follows finch; alma follows wren, and elsa follows robin. */
async function whereRobinIs() {
  const people = new People(gateway.actors);
  const [alma, elsa] = [await addWithToken(gateway, 'alma'), await addWithToken(gateway, 'elsa')];
  const person = async (name: string): Promise<Person> => {
    return { id: await addAccount(gateway.actors, name), name, destination: undefined };
  };
  const [robin, wren, finch] = [await person('robin'), await person('wren'), await person('finch')];
  for (const one of [robin, wren, finch]) people.change(one, { discoverable: true });
  const asPerson = ({ id }: { id: bigint }): Person => ({ ...wren, id });
  const follows = [
    [wren, robin],
    [robin, finch],
    [asPerson(alma), wren],
    [asPerson(elsa), robin],
  ] as const;
  for (const [one, other] of follows) await people.follow(one, other);
  const post = await people.publish(robin, { text: 'A robin', tags: ['birds'], language: 'en' });
  const seed = await people.publish(wren, { text: 'Seeds' });
  await people.favourite(robin, seed);
  const fans = await Promise.all(['pipit', 'dunlin', 'siskin'].map(person));
  for (const fan of [wren, finch, asPerson(alma), ...fans]) await people.favourite(fan, post);
  gateway.actors.settle();
  const places: readonly (readonly [string, string, whether: 'whoever looks' | 'who follows'])[] = [
    ['/api/v1/accounts/search?q=robin', alma.token, 'who follows'],
    ['/api/v2/search?q=robin&type=accounts', alma.token, 'who follows'],
    [`/api/v1/accounts/${wren.id}/following`, alma.token, 'who follows'],
    [`/api/v1/statuses/${seed.id}/favourited_by`, alma.token, 'who follows'],
    [`/api/v1/accounts/familiar_followers?id[]=${finch.id}`, elsa.token, 'who follows'],
    ['/api/v1/timelines/home', elsa.token, 'who follows'],
    ['/api/v1/timelines/tag/birds', elsa.token, 'who follows'],
    ['/api/v1/directory?local=true', alma.token, 'whoever looks'],
    ['/api/v2/suggestions', alma.token, 'whoever looks'],
    ['/api/v1/timelines/public?local=true', alma.token, 'whoever looks'],
    ['/api/v1/timelines/tag/birds', alma.token, 'whoever looks'],
    ['/api/v1/trends/statuses', alma.token, 'whoever looks'],
  ];
  const shown = async () => {
    // What trends is kept for a minute.
    gateway.actors.clock.advance(60_000);
    const answers = places.map(async ([path, reader, whom]) => {
      const response = await gateway.fetch(path, { token: reader });
      expect([path, response.status]).toEqual([path, 200]);
      return (await response.text()).includes(`"id":"${robin.id}"`) ? [`${path} to ${whom}`] : [];
    });
    return (await Promise.all(answers)).flat();
  };
  const named = places.map(([path, , whom]) => `${path} to ${whom}`);
  return { robin, shown, all: named, toFollowers: named.filter((place) => place.endsWith('to who follows')) };
}

test('a suspended account is in no list, a limited one only where it was looked for, and both come back', async () => {
  const { robin, shown, all, toFollowers } = await whereRobinIs();
  expect(await shown()).toEqual(all);
  expect((await act(robin.id, { type: 'suspend' })).status).toBe(200);
  expect(await shown()).toEqual([]);
  await ask('POST', robin.id, '/unsuspend');
  expect(await shown()).toEqual(all);
  expect((await act(robin.id, { type: 'silence' })).status).toBe(200);
  expect(await shown()).toEqual(toFollowers);
  await ask('POST', robin.id, '/unsilence');
  expect(await shown()).toEqual(all);
});
