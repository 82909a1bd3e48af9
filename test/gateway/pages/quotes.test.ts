/** Quotes on pages: writing, permission, the list of quotes, revoking one (behaviour of the Mastodon API). */

import { describe, expect, test } from 'vitest';
import { findLogin } from '../../../src/actors/account/profile/logins.queries.ts';
import { scheduledBy } from '../../../src/actors/account/scheduled/scheduled.queries.ts';
import { findStatus } from '../../../src/actors/account/status-views.queries.ts';
import { Site, textOf } from './site.ts';

async function people() {
  const site = new Site();
  const [alice, bob] = [await site.person('alice'), await site.person('bob')];
  const status = (id: string) => findStatus(site.gateway.actors.read, BigInt(id))?.status;
  return { site, alice, bob, status };
}

const quoteOf = (id: string) => `/web/statuses/${id}/quote`;

test('a menu leads to the form, which shows the post; what is written there quotes it', async () => {
  const { alice, bob, status } = await people();
  const id = await alice.write('A bittern <b>');
  expect((await bob.ask('/@alice')).html).toContain(`<a class="item" href="${quoteOf(id)}">Quote</a>`);
  const { html } = await bob.ask(quoteOf(id));
  expect(html).toContain(`name="quoted_status_id" value="${id}"`);
  expect(html.split('class="quote" aria-label="The quoted post"')[1]).toContain('A bittern &lt;b&gt;');
  expect(html).not.toContain('name="poll_option"');

  const quoteId = await bob.write('Listen!', { quoted_status_id: id });
  expect(status(quoteId)?.quote).toMatchObject({ statusId: BigInt(id), state: 'accepted' });
  const shown = await bob.ask(`/@bob/${quoteId}`);
  expect(shown.html.split('<blockquote class="quote">')[1]).toContain('A bittern &lt;b&gt;');
});

test('what is refused is shown again with the post that it quotes, and one for later keeps it', async () => {
  const { site, alice, bob } = await people();
  const id = await alice.write('A bittern');
  const refused = await bob.act('/web/statuses', { status: 'a'.repeat(501), quoted_status_id: id });
  expect(refused.status).toBe(422);
  expect(refused.html).toContain(`name="quoted_status_id" value="${id}"`);
  expect(textOf(refused.html)).toContain('A bittern');
  await bob.act('/web/statuses', { status: 'Listen!', quoted_status_id: id, scheduled_at: '2031-03-01T09:15' });
  const [kept] = scheduledBy(site.gateway.actors.read, bob.id, { limit: 2 }).items;
  expect(kept?.post.quotedStatusId).toBe(BigInt(id));
  expect((await bob.ask('/scheduled')).html).toContain(`Quotes <a href="/@alice/${id}">a post by alice</a>`);
});

describe('who may quote a post', () => {
  test.each([
    ['everybody', {}, 200, true],
    ['followers', { quote_policy: 'followers' }, 403, true],
    ['nobody', { quote_policy: 'nobody' }, 403, false],
    ['nobody one for followers', { visibility: 'private' }, 404, false],
    ['nobody one for mentioned people', { visibility: 'direct' }, 404, false],
  ] as const)('is %s', async (_who, fields, expected, isOffered) => {
    const { alice, bob } = await people();
    const id = await alice.write('A bittern', fields);
    const offered = async (person: typeof bob) => (await person.ask(`/@alice/${id}`)).html.includes(quoteOf(id));
    expect([(await bob.ask(quoteOf(id))).status, await offered(bob)]).toEqual([expected, isOffered]);
    const sent = await bob.act('/web/statuses', { status: 'Listen!', quoted_status_id: id });
    expect(sent.status).toBe(expected === 200 ? 303 : 404);
    // Its author may quote all but what is for mentioned people.
    const own = 'visibility' in fields && fields.visibility === 'direct' ? [403, false] : [200, true];
    expect([(await alice.ask(quoteOf(id))).status, await offered(alice)]).toEqual(own);
  });

  test('follows the settings where nothing is said, and is said there', async () => {
    const { site, alice, status } = await people();
    const policy = () => findLogin(site.gateway.actors.read, alice.id)?.defaultQuotePolicy;
    const saved = await alice.act('/web/settings/profile', {
      display_name: 'Alice',
      default_quote_policy: 'followers',
    });
    expect([saved.location, policy()]).toEqual(['/settings?done=profile', 'followers']);
    expect((await alice.ask('/settings')).html).toContain('<option value="followers" selected>');
    expect(status(await alice.write('By default'))?.quoteApproval?.automatic).toEqual(['followers']);
    expect((await alice.ask('/')).html).toContain('<option value="followers" selected>');
    expect(status(await alice.write('Said', { quote_policy: 'public' }))?.quoteApproval?.automatic).toEqual(['public']);
    await alice.act('/web/settings/profile', { display_name: 'Alice', default_quote_policy: 'everyone' });
    expect(policy()).toBe('followers');
  });

  test('is changed with the post, and stays where nothing is said', async () => {
    const { alice, status } = await people();
    const id = await alice.write('A bittern', { quote_policy: 'followers' });
    const edit = (fields: Readonly<Record<string, string>>) => alice.act(`/web/statuses/${id}/edit`, fields);
    expect((await alice.ask(`/web/statuses/${id}/edit`)).html).toContain('<option value="followers" selected>');
    await edit({ status: 'A bittern, booming' });
    expect(status(id)?.quoteApproval?.automatic).toEqual(['followers']);
    await edit({ status: 'A bittern, booming', quote_policy: 'nobody' });
    expect(status(id)?.quoteApproval).toBeUndefined();
    const few = await alice.write('For few', { visibility: 'private' });
    expect((await alice.ask(`/web/statuses/${few}/edit`)).html).not.toContain('quote_policy');
  });
});

test('a post that quotes is edited with what it quotes', async () => {
  const { alice, bob, status } = await people();
  const id = await alice.write('A bittern');
  const quoteId = await bob.write('Listen', { quoted_status_id: id });
  const { html } = await bob.ask(`/web/statuses/${quoteId}/edit`);
  expect([textOf(html).includes('A bittern'), html.includes('name="poll_option"')]).toEqual([true, false]);
  await bob.act(`/web/statuses/${quoteId}/edit`, { status: 'Listen!', quoted_status_id: id });
  expect(status(quoteId)).toMatchObject({ text: 'Listen!', quote: { statusId: BigInt(id), state: 'accepted' } });
});

describe('the quotes of a post', () => {
  async function quoted() {
    const found = await people();
    const id = await found.alice.write('A bittern');
    const quoteId = await found.bob.write('Listen!', { quoted_status_id: id });
    return { ...found, id, quoteId, path: `/@alice/${id}/quotes` };
  }

  test('are counted at the post, and listed as far as one sees them', async () => {
    const { site, alice, bob, id, path } = await quoted();
    const carol = await site.person('carol');
    await bob.write('For few', { quoted_status_id: id, visibility: 'private' });
    expect((await carol.ask(`/@alice/${id}`)).html).toContain(`<a href="${path}">2 quotes</a>`);
    const listed = async (person: typeof carol) => {
      const { html } = await person.ask(path);
      return ['Listen!', 'For few'].filter((words) => html.includes(words));
    };
    expect([await listed(carol), await listed(bob)]).toEqual([['Listen!'], ['Listen!', 'For few']]);
    expect((await site.stranger.ask(path)).location).toContain('/auth/sign_in');
    expect((await alice.ask(`/@bob/${id}/quotes`)).status).toBe(404);
    expect((await site.stranger.ask(`/@alice/${id}`)).html).not.toContain(path);
    const none = await bob.write('Alone');
    expect(textOf((await alice.ask(`/@bob/${none}/quotes`)).html)).toContain('There are no quotes that you can see.');
  });

  test('are taken back by whoever is quoted, and by nobody else', async () => {
    const { site, alice, bob, quoteId, path, status } = await quoted();
    const carol = await site.person('carol');
    const revoke = `/web/statuses/${quoteId}/revoke`;
    const offered = async (person: typeof carol) => (await person.ask(path)).html.includes(revoke);
    expect([await offered(alice), await offered(bob), await offered(carol)]).toEqual([true, false, false]);
    for (const person of [bob, carol]) expect((await person.act(revoke)).status).toBe(403);
    expect(status(quoteId)?.quote?.state).toBe('accepted');

    const { html } = await alice.act(revoke, { answer: 'fragment' });
    expect(textOf(html)).toContain('The author of the quoted post has taken it back');
    expect(status(quoteId)?.quote?.state).toBe('revoked');
    expect((await alice.ask(path)).html).not.toContain('Listen!');
    expect((await bob.ask(`/@bob/${quoteId}`)).html).not.toContain('A bittern');
    expect((await alice.act(`/web/statuses/${await bob.write('None')}/revoke`)).status).toBe(404);
  });
});
