import { describe, expect, test, vi } from 'vitest';
import { Account } from '../../../src/actors/account/account.messages.ts';
import { browserKey, digestOfSecret, Session } from '../../../src/actors/session/session.messages.ts';
import { webLimits } from '../../../src/gateway/pages/limits.ts';
import { until } from '../../support/until.ts';
import { Listener, openSite } from './live-listener.ts';
import { type Person, textOf } from './site.ts';

describe('who may listen', () => {
  test.each([
    ['a stranger', false, {}, 401],
    ['a script of another site', true, { 'sec-fetch-site': 'cross-site' }, 403],
    ['a script of a neighbour', true, { 'sec-fetch-site': 'same-site' }, 403],
  ])('not %s', async (_, signedIn, headers, status) => {
    const { site } = openSite();
    const alice = await site.person('alice');
    const guest = signedIn ? alice : site.stranger;
    expect((await guest.ask('/web/live', { headers })).status).toBe(status);
  });

  test('until the session is over, and then hears nothing more', async () => {
    const { hub, site } = openSite();
    const alice = await site.person('alice');
    const id = await alice.write('A post');
    const listener = new Listener();
    await listener.open(site, alice, `/web/live?since=${id}`, { 'sec-fetch-site': 'same-origin' });
    const secret = alice.cookie.split('=')[1]!;
    await site.gateway.actors.call(Session.closeBrowserSession.to(browserKey(digestOfSecret(secret)), {}));
    await until(() => listener.ended);
    expect(listener.events).toEqual([]);
    expect(hub.connections).toEqual([]);
  });
});

describe('what is heard', () => {
  test('a new post, as an entry of the list, with the menu of its author for her alone', async () => {
    const { hub, site } = openSite();
    const [alice, bob] = [await site.person('alice'), await site.person('bob')];
    await bob.act(`/web/accounts/${alice.id}/follow`);
    const first = await alice.write('The first');
    const listeners = [alice, bob, bob].map((person) => ({ person, listener: new Listener() }));
    for (const { person, listener } of listeners) await listener.open(site, person, `/web/live?since=${first}`);
    const id = await alice.write('Two lines\r\nof text');
    hub.publish('update', '{}', BigInt(id));

    const heard = await Promise.all(listeners.map(({ listener }) => listener.heard(1)));
    for (const [event] of heard) {
      expect(event).toMatchObject({ event: 'arrival', id });
      expect(event!.data).toMatch(new RegExp(`^<li class="entry" id="status-${id}">`));
      expect(event!.data).toContain('Two lines<br />of text');
      expect(event!.data).not.toContain('form_token');
    }
    expect(heard.map(([event]) => event!.data.includes('Delete this post'))).toEqual([true, false, false]);
  });

  test('each as its reader wants it covered, although most see the same', async () => {
    const { hub, site } = openSite();
    const [alice, bob] = [await site.person('alice'), await site.person('bob')];
    const carol = await site.person('carol', { expandSpoilers: true });
    for (const one of [bob, carol]) await one.act(`/web/accounts/${alice.id}/follow`);
    const first = await alice.write('The first');
    const listeners = [carol, bob, carol].map((person) => ({ person, listener: new Listener() }));
    for (const { person, listener } of listeners) await listener.open(site, person, `/web/live?since=${first}`);
    const id = await alice.write('A goose', { spoiler_text: 'Birds' });
    hub.publish('update', '{}', BigInt(id));
    const heard = await Promise.all(listeners.map(({ listener }) => listener.heard(1)));
    expect(heard.map(([event]) => event!.data.includes('<details class="covered" open>'))).toEqual([true, false, true]);
  });

  test('edits and deletions', async () => {
    const { hub, site } = openSite();
    const alice = await site.person('alice');
    const id = await alice.write('A post');
    const listener = new Listener();
    await listener.open(site, alice, `/web/live?since=${id}`);
    hub.publish('status.update', '{}', BigInt(id));
    hub.publish('notification', '{}');
    hub.publish('delete', id);
    const [edit, deletion] = await listener.heard(2);
    expect(edit).toMatchObject({ event: 'edit', id: undefined });
    expect(edit!.data).toContain(`data-status="${id}"`);
    expect(deletion).toEqual({ event: 'delete', id: undefined, data: id });
  });

  test('a quote, as each listener may see what is quoted', async () => {
    const { hub, site } = openSite();
    const people = [];
    for (const name of ['alice', 'bob', 'carol', 'dora']) people.push(await site.person(name));
    const [alice, bob, carol, dora] = people as [Person, Person, Person, Person];
    for (const person of [bob, carol]) await person.act(`/web/accounts/${dora.id}/follow`);
    const quoted = await alice.write('A bittern');
    await alice.act(`/web/accounts/${carol.id}/block`);
    const listeners = [alice, bob, carol].map((person) => ({ person, listener: new Listener() }));
    const list = '/web/live?list=local';
    for (const { person, listener } of listeners) await listener.open(site, person, `${list}&since=${quoted}`);
    const id = await dora.write('Listen!', { quoted_status_id: quoted });
    hub.publish('update', '{}', BigInt(id), 'public:local');

    const heard = await Promise.all(listeners.map(({ listener }) => listener.heard(1)));
    const seen = heard.map(([event]) => [event!.data.includes('A bittern'), event!.data.includes(`/${id}/revoke`)]);
    expect(seen).toEqual([
      [true, true],
      [true, false],
      [false, false],
    ]);
  });

  test('a post, as the filters of each listener say', async () => {
    const { hub, site } = openSite();
    const [alice, bob, carol] = [await site.person('alice'), await site.person('bob'), await site.person('carol')];
    const first = await alice.write('The first');
    await site.gateway.actors.call(
      Account.changeFilter.to(carol.id, {
        changes: { title: 'Herons', contexts: ['public'], action: 'warn' },
        keywords: [{ keyword: 'heron', wholeWord: true }],
      }),
    );
    const listeners = [bob, carol, bob].map((person) => ({ person, listener: new Listener() }));
    const path = `/web/live?list=local&since=${first}`;
    for (const { person, listener } of listeners) await listener.open(site, person, path);
    const id = await alice.write('A heron');
    hub.publish('update', '{}', BigInt(id), 'public:local');
    const heard = await Promise.all(listeners.map(({ listener }) => listener.heard(1)));
    expect(heard.map(([event]) => event!.data.includes('Filtered: Herons'))).toEqual([false, true, false]);
  });

  test('nothing of a post that the listener may not see', async () => {
    const { hub, site } = openSite();
    const [alice, bob] = [await site.person('alice'), await site.person('bob')];
    const secret = await alice.write('For few', { visibility: 'direct' });
    const open = await alice.write('For all');
    const listener = new Listener();
    await listener.open(site, bob);
    hub.publish('update', '{}', BigInt(secret));
    hub.publish('update', '{}', BigInt(open));
    const [event] = await listener.heard(1);
    expect(event!.id).toBe(open);
  });

  test.each([
    ['since the page was made', (id: string) => [`/web/live?since=${id}`, {}] as const],
    ['since the connection was lost', (id: string) => ['/web/live?since=1', { 'last-event-id': id }] as const],
  ])('what was missed %s, oldest first', async (_, requestOf) => {
    const { site } = openSite();
    const alice = await site.person('alice');
    const known = await alice.write('Known');
    const [second, third] = [await alice.write('Second'), await alice.write('Third')];
    const listener = new Listener();
    await listener.open(site, alice, ...requestOf(known));
    const events = await listener.heard(2);
    expect(events.map(({ event, id }) => [event, id])).toEqual([
      ['arrival', second],
      ['arrival', third],
    ]);
  });

  test.each(['home', 'list'])('of boosts of a post that were missed, the oldest (%s)', async (name) => {
    const { site } = openSite();
    const people = [];
    for (const person of ['alice', 'bob', 'carol', 'dora']) people.push(await site.person(person));
    const [alice, bob, carol, dora] = people as [Person, Person, Person, Person];
    const members = (await alice.act('/web/lists', { title: 'Birds' })).location!.replace(/\/people$/, '');
    for (const { id } of [bob, carol]) {
      await alice.act(`/web/accounts/${id}/follow`);
      await alice.act(`/web${members}/add`, { account: String(id) });
    }
    const { clock } = site.gateway.actors;
    const id = await dora.write('A heron');
    for (const person of [bob, carol]) {
      clock.advance(1_000);
      await person.act(`/web/statuses/${id}/reblog`);
    }
    clock.advance(1_000);
    const last = await bob.write('A bittern');
    const listener = new Listener();
    await listener.open(site, alice, `/web/live?list=${name}&of=${members.split('/').at(-1)}&since=${id}`);
    const events = await listener.heard(2);
    expect(events.map(({ data }) => /bob boosted|carol boosted/.exec(textOf(data))?.[0])).toEqual([
      'bob boosted',
      undefined,
    ]);
    expect(events[1]!.id).toBe(last);
  });

  test('a notice that too much was missed', async () => {
    const { site } = openSite();
    const alice = await site.person('alice');
    for (let number = 0; number < 21; number += 1) await alice.write(`Number ${number}`);
    const listener = new Listener();
    await listener.open(site, alice, '/web/live?since=1');
    expect(await listener.heard(1)).toEqual([{ event: 'gap', id: undefined, data: '' }]);
  });

  test('what no stream event announced, at the next check', async () => {
    const { site } = openSite();
    const alice = await site.person('alice');
    const listener = new Listener();
    await listener.open(site, alice);
    const id = await alice.write('Nobody tells');
    vi.advanceTimersByTime(webLimits.firstCheckMilliseconds - 1);
    expect(listener.events).toEqual([]);
    vi.advanceTimersByTime(1);
    const [event] = await listener.heard(1);
    expect(event!.id).toBe(id);
  });
});

describe('other lists', () => {
  test('a list that does not exist is refused', async () => {
    const { site } = openSite();
    const alice = await site.person('alice');
    const answers = await Promise.all(['unknown', 'toString'].map((name) => alice.ask(`/web/live?list=${name}`)));
    expect(answers.map(({ status }) => status)).toEqual([404, 404]);
  });

  test('a list of people hears of what they post, and is live for its owner alone', async () => {
    const { hub, site } = openSite();
    const [alice, bob, carol] = [await site.person('alice'), await site.person('bob'), await site.person('carol')];
    for (const { id } of [bob, carol]) await alice.act(`/web/accounts/${id}/follow`);
    const { location } = await alice.act('/web/lists', { title: 'Birds' });
    const [, listId] = /^\/lists\/(\d+)\/people$/.exec(location!)!;
    await alice.act(`/web/lists/${listId}/add`, { account: String(bob.id) });
    const known = await bob.write('Known');
    const path = `/web/live?list=list&of=${listId}&since=${known}`;
    expect((await bob.ask(path)).status).toBe(404);
    const missed = await bob.write('Missed');
    const listener = new Listener();
    await listener.open(site, alice, path);
    await carol.write('Not on the list');
    const live = await bob.write('Live');
    hub.publish('update', '{}', BigInt(live), 'list');
    expect((await listener.heard(2)).map(({ event, id }) => [event, id])).toEqual([
      ['arrival', missed],
      ['arrival', live],
    ]);
  });

  test('the page of conversations hears of each that goes on, in the place of what it had', async () => {
    const { hub, site } = openSite();
    const [alice, bob] = [await site.person('alice'), await site.person('bob')];
    const first = await bob.write('@alice A wren', { visibility: 'direct' });
    expect((await alice.ask('/conversations')).html).toContain(
      `data-live="/web/live?list=conversations&amp;since=${first}"`,
    );
    const listener = new Listener();
    await listener.open(site, alice, `/web/live?list=conversations&since=${first}`);
    await bob.write('For everybody');
    const second = await bob.write('@alice A heron', { visibility: 'direct', in_reply_to_id: first });
    hub.publish('conversation', '{}', undefined, 'direct');
    const [event] = await listener.heard(1);
    expect([event!.event, event!.id]).toEqual(['arrival', second]);
    const thread = /data-subject="(\d+)"/.exec((await alice.ask('/conversations')).html)?.[1];
    expect(event!.data).toContain(`id="conversation-${second}" data-subject="${thread}"`);
  });

  test('a favourite of a post that has some arrives as their group', async () => {
    const { hub, site } = openSite();
    const [alice, bob, carol] = [await site.person('alice'), await site.person('bob'), await site.person('carol')];
    const id = await alice.write('A wren');
    await bob.act(`/web/statuses/${id}/favourite`);
    const { html } = await alice.ask('/notifications');
    const [, since] = /data-live="\/web\/live\?list=notifications&amp;since=(\d+)"/.exec(html)!;
    const [, subject] = /data-subject="(favourite-[^"]*)"/.exec(html)!;
    const listener = new Listener();
    await listener.open(site, alice, `/web/live?list=notifications&since=${since}`);
    await carol.act(`/web/statuses/${id}/favourite`);
    hub.publish('notification', '{}', undefined, 'user');
    const arrivals = await listener.heard(1, ({ event }) => event === 'arrival');
    expect(arrivals.map(({ data }) => [data.includes(`data-subject="${subject}"`), textOf(data)])).toEqual([
      [true, expect.stringContaining('carol and bob favourited your post')],
    ]);
  });

  test('a public page hears of its channel alone', async () => {
    const { hub, site } = openSite();
    const [alice, bob] = [await site.person('alice'), await site.person('bob')];
    const first = await alice.write('Known');
    const listener = new Listener();
    await listener.open(site, bob, `/web/live?list=local&since=${first}`);
    const second = await alice.write('For everybody');
    hub.publish('update', '{}', BigInt(second), 'user');
    hub.publish('update', '{}', BigInt(second), 'public:local');
    hub.publish('delete', second, BigInt(second), 'public:local');
    const events = await listener.heard(2);
    expect(events.map(({ event, id }) => [event, id])).toEqual([
      ['arrival', second],
      ['delete', undefined],
    ]);
  });

  test('a public page does not hear of those whom its reader mutes', async () => {
    const { hub, site } = openSite();
    const [alice, bob, carol] = [await site.person('alice'), await site.person('bob'), await site.person('carol')];
    await site.gateway.actors.call(
      Account.mute.to(bob.id, { targetId: alice.id, hideNotifications: true, durationSeconds: 0 }),
    );
    const [muted, shown] = [await alice.write('Muted'), await carol.write('Shown')];
    const listener = new Listener();
    await listener.open(site, bob, `/web/live?list=public&since=${shown}`);
    hub.publish('update', '{}', BigInt(muted), 'public');
    hub.publish('update', '{}', BigInt(shown), 'public');
    const [event] = await listener.heard(1);
    expect(event).toMatchObject({ event: 'arrival', id: shown });
  });

  test('the page of notifications hears of each, and then they are read', async () => {
    const { hub, site } = openSite({ isTraced: true });
    const [alice, bob] = [await site.person('alice'), await site.person('bob')];
    const call = vi.spyOn(site.gateway.services.client, 'call');
    const listener = new Listener();
    await listener.open(site, alice, '/web/live?list=notifications&since=0');
    await bob.write('@alice Are you there?');
    hub.publish('notification', '{}');
    const [event] = await listener.heard(1);
    expect(event!.event).toBe('arrival');
    expect(event!.data).toMatch(/^<li class="entry notification is-unread" id="notification-\d+">/);
    expect(event!.data).toContain('mentioned you');
    await until(async () => (await alice.ask('/')).html.includes('aria-label="unread" hidden'));
    // In the trace of the page that stays open.
    expect(call.mock.calls.find(([{ message }]) => message === Account.moveMarkers.number)?.[1]).toEqual({
      flow: `account:${alice.id}`,
      cause: expect.stringMatching(/^[\da-f]{12}-/),
    });
  });

  test('every other page hears how many are unread, when that is news to it', async () => {
    const { hub, site } = openSite();
    const [alice, bob] = [await site.person('alice'), await site.person('bob')];
    const since = await bob.write('@alice One');
    const listener = new Listener();
    await listener.open(site, alice, `/web/live?list=local&since=${since}&unread=1`);
    await bob.act('/web/statuses', { status: '@alice Two', visibility: 'direct' });
    hub.publish('notification', '{}');
    expect(await listener.heard(1)).toEqual([{ event: 'unread', id: undefined, data: '2' }]);
    const { html } = await alice.ask('/notifications');
    await alice.act(/formaction="(\/web\/notifications\/read\?newest=\d+)"/.exec(html)![1]!);
    hub.publish('notification', '{}');
    expect((await listener.heard(2))[1]).toEqual({ event: 'unread', id: undefined, data: '' });
  });

  test('a profile hears of what its owner posts, edits and deletes, whoever follows', async () => {
    const { site } = openSite();
    const [alice, bob] = [await site.person('alice'), await site.person('bob')];
    const first = await alice.write('Known');
    expect((await bob.ask('/@alice')).html).toContain(
      `data-live="/web/live?list=profile&amp;of=${alice.id}&amp;since=${first}"`,
    );
    const listener = new Listener();
    await listener.open(site, bob, `/web/live?list=profile&of=${alice.id}&since=${first}`);
    await alice.write('For few', { visibility: 'direct' });
    await bob.write('Not on her page');
    await alice.act('/web/statuses', { status: '@bob An answer', in_reply_to_id: await bob.write('A question') });
    const second = await alice.write('For everybody');
    await alice.act(`/web/statuses/${second}/edit`, { status: 'For all' });
    await alice.act(`/web/statuses/${second}/delete`);
    const events = await listener.heard(3, ({ event }) => event !== 'piece');
    expect(events.map(({ event, id, data }) => [event, id, data.includes('For all') || data === second])).toEqual([
      ['arrival', second, false],
      ['edit', undefined, true],
      ['delete', undefined, true],
    ]);
  });

  test('a list that belongs to nothing is refused', async () => {
    const { site } = openSite();
    const alice = await site.person('alice');
    const answers = await Promise.all(['profile', 'thread&of=x'].map((list) => alice.ask(`/web/live?list=${list}`)));
    expect(answers.map(({ status }) => status)).toEqual([404, 404]);
  });

  test('the card of whoever looks is told when its numbers change', async () => {
    const { hub, site } = openSite();
    const alice = await site.person('alice');
    const listener = new Listener();
    await listener.open(site, alice);
    const id = await alice.write('A post');
    hub.publish('update', '{}', BigInt(id));
    const events = await listener.heard(2);
    expect(events.map(({ event }) => event)).toEqual(['arrival', 'piece']);
    expect(events[1]!.data).toMatch(/^<section class="card own" id="own".*<dt>post<\/dt><dd>1<\/dd>/s);
  });
});
