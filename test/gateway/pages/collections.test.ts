/** The pages and forms of collections of accounts. */
import { expect, test } from 'vitest';
import { Account } from '../../../src/actors/account/account.messages.ts';
import { collectionsOf, itemsOf } from '../../../src/actors/account/collections/collections.queries.ts';
import { collectionForms } from '../../../src/gateway/pages/collections/collection-forms.ts';
import { type Person, Site, textOf } from './site.ts';
import { expectStrict } from './strict.ts';

const hostile = '<b>"cats"';

async function siteOfThree() {
  const site = new Site();
  const [alice, bob, carol] = [await site.person('alice'), await site.person('bob'), await site.person('carol')];
  await site.changeProfile(bob, { discoverable: true });
  const own = () => collectionsOf(site.gateway.actors.read, alice.id);
  const make = async (fields: Readonly<Record<string, string>> = { name: 'Cats' }) => {
    const { status, location } = await alice.act('/web/collections', fields);
    expect(status).toBe(303);
    return { path: location!, form: `/web${location}`, id: own()[0]!.id };
  };
  const items = (id: bigint) => itemsOf(site.gateway.actors.read, id);
  return { site, alice, bob, carol, own, make, items };
}

test('are for those who are signed in, and the collections themselves for everybody', async () => {
  const { site, alice, make } = await siteOfThree();
  expect((await site.stranger.ask('/collections')).location).toContain('/auth/sign_in');
  const { path } = await make({ name: hostile, description: `Purr ${hostile}`, tag_name: '#Cats' });
  for (const viewer of [site.stranger, alice]) {
    const page = await viewer.ask(path);
    expect(page.status).toBe(200);
    expectStrict(page);
    expect(page.html).toContain('&lt;b&gt;');
    expect(page.html).toContain('#Cats');
    expect(page.html.includes(`action="/web${path}/edit"`)).toBe(viewer === alice);
  }
  expect((await site.stranger.ask('/collections/1')).status).toBe(404);
  const profile = await site.stranger.ask('/@alice');
  expect(profile.html).toContain(`href="${path}"`);
  expectStrict(profile);
});

test('show what was refused at what was typed', async () => {
  const { alice, own, make } = await siteOfThree();
  const refused = await alice.act('/web/collections', { name: 'a'.repeat(41), description: hostile });
  expect(refused.status).toBe(422);
  expectStrict(refused);
  expect(textOf(refused.html)).toContain('This is too long: there can be 40 characters.');
  expect(own()).toEqual([]);
  const { form } = await make();
  const edited = await alice.act(`${form}/edit`, { name: '', description: 'Purr' });
  expect([edited.status, own()[0]?.name]).toEqual([422, 'Cats']);
  const nobody = await alice.act(`${form}/items`, { handle: 'nobody' });
  expect([nobody.status, textOf(nobody.html)]).toEqual([422, expect.stringContaining('No such account was found')]);
  const unwilling = await alice.act(`${form}/items`, { handle: '@carol' });
  expect(textOf(unwilling.html)).toContain('This account cannot be added to collections');
});

test('put accounts in and take them out, change the collection and remove it', async () => {
  const { site, alice, bob, own, make, items } = await siteOfThree();
  const { path, form, id } = await make();
  expect((await alice.act(`${form}/items`, { handle: 'bob' })).location).toBe(path);
  expect(items(id)).toMatchObject([{ accountId: bob.id, state: 'accepted' }]);
  expectStrict(await alice.ask(path));
  const told = await bob.ask('/notifications');
  expect(textOf(told.html)).toContain('put you into a collection');
  expect(told.html).toContain(`href="${path}"`);
  expectStrict(told);
  await alice.act(`${form}/edit`, { name: 'Dogs', tag_name: '', sensitive: '1' });
  expect(own()).toMatchObject([{ name: 'Dogs', sensitive: true, discoverable: false }]);
  expect((await site.stranger.ask('/@alice')).html).not.toContain(`href="${path}"`);
  expect((await bob.act(`${form}/items/${items(id)[0]!.id}/remove`)).status).toBe(403);
  await alice.act(`${form}/items/${items(id)[0]!.id}/remove`);
  expect(items(id)).toEqual([]);
  expect((await bob.act(`${form}/remove`)).status).toBe(403);
  expect((await alice.act(`${form}/remove`)).location).toBe('/collections');
  expect(own()).toEqual([]);
});

test('let somebody leave a collection that they are in', async () => {
  const { alice, bob, make, items } = await siteOfThree();
  const { path, form, id } = await make();
  await alice.act(`${form}/items`, { handle: 'bob' });
  const leave = `${form}/items/${items(id)[0]!.id}/leave`;
  const shows = async (person: Person) => (await person.ask(path)).html.includes(leave);
  expect([await shows(bob), await shows(alice)]).toEqual([true, false]);
  const list = await bob.ask('/collections');
  expectStrict(list);
  expect(list.html).toContain(`href="${path}"`);
  expect((await bob.act(leave)).location).toBe(path);
  expect(items(id)).toEqual([]);
  expect((await bob.ask('/collections')).html).not.toContain(`href="${path}"`);
});

test('are not for those whom the curator blocks', async () => {
  const { site, alice, carol, make } = await siteOfThree();
  const { path } = await make();
  await site.gateway.actors.call(Account.block.to(alice.id, { targetId: carol.id }));
  expect((await carol.ask(path)).status).toBe(403);
  expect((await carol.ask('/@alice')).html).not.toContain(`href="${path}"`);
});

test('are named below the posts that link to them, for those who may see them', async () => {
  const { site, alice, bob, carol, make } = await siteOfThree();
  const { path } = await make({ name: hostile });
  await bob.act('/web/statuses', { status: `Look https://social.example${path}` });
  const named = async (visitor: Person | typeof site.stranger, page = '/@bob') => {
    const shown = await visitor.ask(page);
    expectStrict(shown);
    expect(shown.html).toContain('Look');
    return shown.html.includes(`<a href="${path}" dir="auto">&lt;b&gt;`);
  };
  expect([await named(site.stranger), await named(carol), await named(bob, '/')]).toEqual([true, true, true]);
  await alice.act(`/web/accounts/${carol.id}/block`, {});
  expect([await named(site.stranger), await named(carol)]).toEqual([true, false]);
  await alice.act(`/web${path}/remove`, {});
  expect(await named(site.stranger)).toBe(false);
});

test('their forms ask for the token of the form', async () => {
  const { alice } = await siteOfThree();
  for (const { path } of collectionForms) {
    const { status } = await alice.ask(path.replaceAll(/:\w+/g, '1'), { form: { form_token: 'guessed' } });
    expect([path, status]).toEqual([path, 403]);
  }
});
