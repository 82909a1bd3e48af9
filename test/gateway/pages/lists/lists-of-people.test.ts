/** The pages and forms of lists. */
import { beforeEach, describe, expect, test } from 'vitest';
import { listPath } from '../../../../src/gateway/pages/lists/list-head.ts';
import { type Person, Site, textOf } from '../site.ts';
import { expectStrict } from '../strict.ts';

let site: Site;
let alice: Person;
let bob: Person;
let carol: Person;

beforeEach(async () => {
  site = new Site();
  [alice, bob, carol] = [await site.person('alice'), await site.person('bob'), await site.person('carol')];
  for (const followed of [bob, carol]) await alice.act(`/web/accounts/${followed.id}/follow`);
});

/** Makes a list, and returns its path. */
async function listOf(owner: Person, fields: Readonly<Record<string, string>> = {}): Promise<string> {
  const { location } = await owner.act('/web/lists', { title: 'Birds', ...fields });
  const [, id] = /^\/lists\/(\d+)\/people$/.exec(location!)!;
  return listPath({ id: BigInt(id!) });
}

const postsOn = async (path: string) =>
  [...(await alice.ask(path)).html.matchAll(/class="content"[^>]*>(.*?)<\/div>/gs)].map(([, post]) => textOf(post!));
const namesOn = async (path: string) => {
  const [, below = ''] = (await alice.ask(path)).html.split('On this list</h2>');
  return [...below.matchAll(/<li class="entry person">.*?@(\w+)/gs)].map(([, name]) => name!);
};
const add = (path: string, member: Person) => alice.act(`/web${path}/add`, { account: String(member.id) });

describe('a list', () => {
  test('is made, shown with what the people on it post, changed and removed', async () => {
    const path = await listOf(alice);
    await add(path, bob);
    await bob.write('A wren');
    await carol.write('A heron');
    for (const page of ['/lists', path, `${path}/people`, `${path}/settings`]) expectStrict(await alice.ask(page));
    expect(textOf((await alice.ask('/lists')).html)).toContain('Birds 1 person');
    expect(await postsOn(path)).toEqual(['A wren']);
    expect((await alice.ask(path)).html).toContain(`data-live="/web/live?list=list&amp;of=${path.slice(7)}&amp;since=`);

    const changed = await alice.act(`/web${path}`, { title: 'Small birds', replies_policy: 'none', exclusive: '1' });
    expect(changed.location).toBe(`${path}/settings?done=changed`);
    const { html } = await alice.ask(changed.location!);
    expect(html).toContain('value="Small birds"');
    expect(html).toContain('value="none" checked');
    expect(html).toContain('name="exclusive" value="1" checked');
    expect(await postsOn('/')).toEqual(['A heron']);

    expect((await alice.act(`/web${path}/remove`)).location).toBe('/lists?done=removed');
    expect(textOf((await alice.ask('/lists?done=removed')).html)).toMatch(/The list is removed.*No lists yet/);
    expect((await alice.ask(path)).status).toBe(404);
    expect(await postsOn('/')).toEqual(['A heron', 'A wren']);
  });

  test('has people of whom its owner follows, and lets them go', async () => {
    const path = await listOf(alice);
    const { html } = await alice.ask(`${path}/people`);
    for (const { id } of [bob, carol])
      expect(html).toContain(`formaction="/web${path}/add" name="account" value="${id}">Add</button>`);
    await add(path, bob);
    expect(await namesOn(`${path}/people`)).toEqual(['bob']);
    const found = await alice.ask(`${path}/people?find=bo`);
    expect(found.html).toContain(`formaction="/web${path}/take-out" name="account" value="${bob.id}">Remove</button>`);
    expect(found.html).not.toContain(`value="${carol.id}"`);
    expect(textOf((await alice.ask(`${path}/people?find=ali`)).html)).toContain('You follow nobody whose name');
    const back = await alice.act(`/web${path}/take-out`, { account: String(bob.id), return_to: `${path}/people` });
    expect([back.location, await namesOn(`${path}/people`)]).toEqual([`${path}/people`, []]);
  });

  test.each([
    ['blank', ' ', 'Please fill this in.'],
    ['too long', 'x'.repeat(257), 'This is too long: there can be 256 characters.'],
  ])('with a name that is %s is refused at its field, and what was chosen stays', async (_, title, problem) => {
    const path = await listOf(alice);
    for (const form of ['/web/lists', `/web${path}`]) {
      const { status, html } = await alice.act(form, { title, replies_policy: 'followed', exclusive: '1' });
      expect(status).toBe(422);
      expect(html).toContain(`<p class="wrong" id="title-problem">${problem}</p>`);
      expect(html).toContain('aria-invalid="true"');
      expect(html).toContain('value="followed" checked');
      expect(html).toContain('name="exclusive" value="1" checked');
    }
    expect(textOf((await alice.ask('/lists')).html)).toContain('Birds 0 people');
  });

  test('is one of fifty at most', async () => {
    for (let number = 0; number < 50; number += 1) await listOf(alice, { title: `List ${number}` });
    expect((await alice.ask('/lists')).html).not.toContain('action="/web/lists"');
    const { status, html } = await alice.act('/web/lists', { title: 'One more' });
    expect([status, textOf(html).includes('You cannot have more than 50 lists')]).toEqual([422, true]);
  });

  test('is of its owner alone', async () => {
    const path = await listOf(alice);
    for (const page of [path, `${path}/people`, `${path}/settings`]) {
      expect((await bob.ask(page)).status).toBe(404);
      expect((await site.stranger.ask(page)).location).toContain('/auth/sign_in');
    }
    for (const verb of ['', '/remove', '/add', '/take-out']) {
      const fields = { title: 'Mine', account: String(carol.id) };
      expect((await bob.act(`/web${path}${verb}`, fields)).status).toBe(404);
      expect((await alice.ask(`/web${path}${verb}`, { form: { form_token: 'guessed', ...fields } })).status).toBe(403);
    }
    expect((await add(path, alice)).status).toBe(404);
    expect((await alice.act(`/web${path}/add`, { account: 'x' })).status).toBe(404);
    expect((await alice.ask('/lists/x')).status).toBe(404);
    expect(textOf((await alice.ask('/lists')).html)).toContain('Birds 0 people');
  });
});

describe('from a profile', () => {
  test('a followed person is put on lists, and taken from others', async () => {
    const [birds, rivers] = [await listOf(alice), await listOf(alice, { title: 'Rivers' })];
    await add(birds, bob);
    const page = `/web/accounts/${bob.id}/lists`;
    expect((await alice.ask('/@bob')).html).toContain(`<a class="item" href="${page}">`);
    const shown = await alice.ask(page);
    expectStrict(shown);
    expect(shown.html).toContain(`value="${birds.slice(7)}" checked> <bdi>Birds</bdi>`);
    expect(shown.html).toContain(`value="${rivers.slice(7)}"> <bdi>Rivers</bdi>`);
    expect((await alice.act(page, { list: rivers.slice(7) })).location).toBe('/@bob');
    expect([await namesOn(`${birds}/people`), await namesOn(`${rivers}/people`)]).toEqual([[], ['bob']]);
  });

  test('nobody is offered for lists who is not followed', async () => {
    const dave = await site.person('dave');
    await listOf(alice);
    expect((await alice.ask('/@dave')).html).not.toContain(`/web/accounts/${dave.id}/lists`);
    const { html } = await alice.ask(`/web/accounts/${dave.id}/lists`);
    expect(html).not.toContain('type="checkbox"');
    expect(textOf(html)).toContain('Follow @dave first');
  });
});
