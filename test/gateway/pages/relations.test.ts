/** What one does about an account on its profile: be told of its posts, hide its boosts, feature it, note something, mute it. */
import { expect, test } from 'vitest';
import { findRelationship } from '../../../src/actors/account/relationship-views.queries.ts';
import { webLimits } from '../../../src/gateway/pages/limits.ts';
import { People } from '../../support/people.ts';
import { Site, textOf } from './site.ts';
import { expectStrict } from './strict.ts';

async function people() {
  const site = new Site();
  const [alice, bob, carol] = [await site.person('alice'), await site.person('bob'), await site.person('carol')];
  await bob.act(`/web/accounts/${alice.id}/follow`);
  const { clock, read } = site.gateway.actors;
  const relation = () => findRelationship(read, bob.id, alice.id, clock.now());
  const path = (verb: string) => `/web/accounts/${alice.id}/${verb}`;
  return { site, alice, bob, carol, relation, path };
}

test('the bell beside somebody whom one follows rings for each post, until it is pressed again', async () => {
  const { alice, bob, carol, path } = await people();
  expect((await carol.ask('/@alice')).html).not.toContain(path('notify'));
  const rung = await bob.act(path('notify'), { answer: 'fragment' });
  expect(rung.html).toContain(`formaction="${path('stop-notifying')}" data-changes aria-pressed="true"`);
  await alice.write('The swifts are here');
  expect(textOf((await bob.ask('/notifications')).html)).toContain('alice posted');
  expect((await bob.act(path('stop-notifying'), { answer: 'fragment' })).html).toContain(`"${path('notify')}"`);
});

test('boosts of somebody whom one follows are hidden at home, and shown again', async () => {
  const { alice, bob, carol, path } = await people();
  const id = await carol.write('Worth a boost');
  await alice.act(`/web/statuses/${id}/reblog`);
  const isAtHome = async () => (await bob.ask('/')).html.includes('Worth a boost');
  expect(await isAtHome()).toBe(true);
  await bob.act(path('hide-boosts'));
  expect([await isAtHome(), (await bob.ask('/@alice')).html.includes(path('show-boosts'))]).toEqual([false, true]);
  await bob.act(path('show-boosts'));
  expect(await isAtHome()).toBe(true);
});

test('of somebody whom one follows one reads the languages that one chooses', async () => {
  const { site, alice, bob, carol, relation, path } = await people();
  expect((await bob.ask('/@alice')).html).toContain(`href="${path('languages')}"`);
  const offered = await bob.ask(path('languages'), { headers: { 'accept-language': 'de, en;q=0.5' } });
  expectStrict(offered);
  expect(offered.html).toContain('name="languages" value="de"> <span>German</span>');
  const choose = async (...languages: string[]) => {
    const form = new URLSearchParams({ form_token: await bob.formToken() });
    for (const one of languages) form.append('languages', one);
    return (await bob.ask(path('languages'), { form })).location;
  };
  expect(await choose('de', 'fr', '')).toBe('/@alice');
  expect(relation().follow?.languages).toEqual(['de', 'fr']);
  expect((await bob.ask(path('languages'))).html).toMatch(/value="de" checked>.*\n?.*value="fr" checked>/);
  await alice.write('Read by everybody', { language: 'de' });
  await alice.write('Lu par personne', { language: 'es' });
  const { html } = await bob.ask('/');
  expect([html.includes('Read by everybody'), html.includes('Lu par personne')]).toEqual([true, false]);
  await choose('');
  expect(relation().follow?.languages).toBeUndefined();
  for (const [who, address] of [
    [carol, path('languages')],
    [bob, `/web/accounts/${carol.id}/languages`],
    [bob, '/web/accounts/1/languages'],
  ] as const)
    expect([(await who.ask(address)).status, (await who.act(address)).status]).toEqual([404, 404]);
  expect((await site.stranger.ask(path('languages'))).location).toContain('/auth/sign_in');
});

test('a profile shows whom its owner features, and not to whom they block', async () => {
  const { site, alice, bob, carol, path } = await people();
  const featured = async (who: Pick<typeof bob, 'ask'>) => {
    const [list = ''] = /<ul class="featured".*?<\/ul>/s.exec((await who.ask('/@bob')).html) ?? [];
    return textOf(list).trim();
  };
  expect(await featured(carol)).toBe('');
  await bob.act(path('feature'));
  expect([await featured(carol), await featured(site.stranger)]).toEqual(['A alice', 'A alice']);
  await bob.act(`/web/accounts/${carol.id}/block`);
  expect(await featured(carol)).toBe('');
  await bob.act(path('unfeature'));
  expect([await featured(alice), (await bob.ask('/@alice')).html.includes(path('feature'))]).toEqual(['', true]);
});

test('whom a profile features beyond those shown on it are on a page of their own', async () => {
  const { site, alice, bob, carol } = await people();
  const { featuredPeople: shown, pagePeople } = webLimits;
  const { actors } = site.gateway;
  const feature = async (index: number) => {
    const { id } = await site.person(`friend${index}`);
    await bob.act(`/web/accounts/${id}/follow`);
    actors.clock.advance(1_000);
    await bob.act(`/web/accounts/${id}/feature`);
  };
  const link = '<a href="/@bob/endorsements">Show all</a>';
  const namesOn = async (who: Pick<typeof bob, 'ask'>, path: string) => {
    const page = await who.ask(path);
    expectStrict(page);
    return [...page.html.matchAll(/<li class="entry person">.*?@(\w+)/gs)].map(([, name]) => name);
  };
  await feature(0);
  expect((await bob.ask('/@bob')).html).not.toContain(link);
  for (let index = 1; index <= pagePeople; index++) await feature(index);
  const { html } = await site.stranger.ask('/@bob');
  expect([html.includes(link), html.match(/<ul class="featured".*?<\/ul>/s)![0].match(/<li>/g)!.length]).toEqual([
    true,
    shown + 1,
  ]);
  const names = await namesOn(site.stranger, '/@bob/endorsements');
  expect([names.length, names[0]]).toEqual([pagePeople, `friend${pagePeople}`]);
  const [, older] = /rel="next" href="(\?max_id=\d+)"/.exec((await alice.ask('/@bob/endorsements')).html)!;
  expect(await namesOn(alice, `/@bob/endorsements${older}`)).toEqual(['friend0']);
  await bob.act(`/web/accounts/${carol.id}/block`);
  expect(await namesOn(carol, '/@bob/endorsements')).toEqual([]);
  await site.changeProfile(bob, { showFeatured: false });
  expect(textOf((await alice.ask('/@bob/endorsements')).html)).toContain('This list is not shown.');
  expect((await site.stranger.ask('/@nobody/endorsements')).status).toBe(404);
});

test('a note is seen by its writer alone, as text, and is removed by an empty one', async () => {
  const { site, alice, bob, relation, path } = await people();
  await bob.act(path('note'), { note: 'Met at <the> pond\r\nin May' });
  expect(relation().note).toBe('Met at <the> pond\nin May');
  expect((await bob.ask('/@alice')).html).toContain('Met at &lt;the&gt; pond');
  for (const other of [alice, site.stranger]) expect((await other.ask('/@alice')).html).not.toContain('pond');
  const changed = await bob.act(path('note'), { note: '', answer: 'fragment' });
  expect([relation().note, changed.html.includes('Add a private note')]).toEqual(['', true]);
  expect((await bob.act(path('note'), { note: 'x'.repeat(2_001) })).status).toBe(422);
});

test('a mute is for a while, and may leave notifications', async () => {
  const { site, alice, bob, relation, path } = await people();
  const form = await bob.ask(path('mute'));
  expect(form.html).toContain('<option value="3600">1 hour</option>');
  const sent = await bob.act(path('mute'), { duration: '3600', notifies: '1', return_to: '/@alice' });
  expect([sent.location, relation().mute]).toEqual(['/@alice', expect.objectContaining({ hideNotifications: false })]);
  expect(textOf((await bob.ask('/mutes')).html)).toMatch(/Until .* · Notifications are shown/);
  expect((await bob.ask(path('mute'))).html).toContain('name="notifies" value="1" checked');
  site.gateway.actors.clock.advance(3_600_000);
  expect([relation().mute, textOf((await bob.ask('/mutes')).html)]).toEqual([
    undefined,
    expect.stringContaining('You have muted nobody'),
  ]);
  expect((await bob.act(path('mute'), { duration: 'x' })).status).toBe(400);
  expect((await alice.ask(path('mute'))).status).toBe(404);
});

test('a profile names who of those whom one follows follows it too', async () => {
  const { site, alice, bob, carol } = await people();
  const familiar = async () => {
    const [line = ''] = /<p class="familiar">.*?<\/p>/s.exec((await bob.ask('/@carol')).html) ?? [];
    return textOf(line).trim();
  };
  expect(await familiar()).toBe('');
  await alice.act(`/web/accounts/${carol.id}/follow`);
  expect(await familiar()).toBe('A Followed by alice');
  await site.changeProfile(alice, { hideCollections: true });
  expect(await familiar()).toBe('');
});

test('a profile shows no page of media and nothing that it features where its owner does not want it', async () => {
  const { alice, bob } = await people();
  await alice.act('/web/featured-tags', { name: '#Cats' });
  const shown = async () => {
    const { html } = await bob.ask('/@alice?media=1');
    return [html.includes('href="/@alice?media=1" aria-current="page"'), html.includes('/@alice/tagged/cats')];
  };
  expect(await shown()).toEqual([true, true]);
  await alice.act('/web/settings/profile', { hide_media: '1', hide_featured: '1' });
  expect(await shown()).toEqual([false, false]);
  expect((await bob.ask('/@alice?media=1')).html).toContain('<a href="/@alice" aria-current="page">');
  expect((await alice.ask('/settings')).html).toMatch(/name="hide_featured" value="1" checked/);
  await alice.act('/web/settings/profile', { hide_media_replies: '1' });
  expect(await shown()).toEqual([true, true]);
});

test('the profile of somebody elsewhere leads to the page of their server', async () => {
  const { site, bob } = await people();
  new People(site.gateway.actors).remote('dora', 'other.example');
  const item = '<a class="item" href="https://other.example/@dora" target="_blank"';
  expect((await bob.ask('/@dora@other.example')).html).toContain(item);
});
