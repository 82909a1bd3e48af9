import { describe, expect, test, vi } from 'vitest';
import { findStatus } from '../../../src/actors/account/status-views.queries.ts';
import { unlimited } from '../../../src/operations/rate-limits.ts';
import { publishStatus } from '../../../src/operations/statuses/publish-status.ts';
import { type Person, Site, textOf } from './site.ts';

describe('a form', () => {
  test.each([
    ['without a token', { form_token: '' }, {}],
    ['with a token of another browser', {}, {}],
    ['sent by another site', {}, { 'sec-fetch-site': 'cross-site' }],
    ['sent by a neighbour', {}, { 'sec-fetch-site': 'same-site' }],
  ])('%s does nothing', async (words, fields, headers) => {
    const site = new Site();
    const [alice, bob] = [await site.person('alice'), await site.person('bob')];
    const id = await alice.write('A post');
    const token = await (words.includes('another browser') ? alice : bob).formToken();
    const form = { form_token: token, ...fields };
    for (const path of [`/web/statuses/${id}/favourite`, `/web/accounts/${alice.id}/follow`]) {
      expect((await bob.ask(path, { form, headers })).status).toBe(403);
    }
    expect((await bob.ask('/web/statuses', { form: { ...form, status: 'Not by me' }, headers })).status).toBe(403);
    const { html } = await bob.ask(`/@alice/${id}`);
    expect(html).not.toContain('aria-pressed="true"');
    expect((await bob.ask('/@bob')).html).not.toContain('Not by me');
  });

  test('of a stranger leads to signing in, and from there back', async () => {
    const site = new Site();
    const form = { form_token: 'x', return_to: '/@alice' };
    const answer = await site.stranger.ask('/web/accounts/1/follow', { form });
    expect([answer.status, answer.location]).toEqual([303, '/auth/sign_in?return_to=%2F%40alice&unsent=1']);
  });

  test.each([
    '//evil.example',
    'https://evil.example/',
    '/\\evil.example',
    'javascript:alert(1)',
  ])('that would lead to %s leads to the start', async (returnTo) => {
    const site = new Site();
    const alice = await site.person('alice');
    expect((await alice.act('/web/statuses', { status: 'A post', return_to: returnTo })).location).toBe('/');
  });
});

test('what a form causes is traced by the id of its request', async () => {
  const site = new Site([], { isTraced: true });
  const alice = await site.person('alice');
  const call = vi.spyOn(site.gateway.services.client, 'call');
  const { headers } = await alice.act('/web/statuses', { status: 'A post' });
  expect(call.mock.lastCall?.[1]).toEqual({ flow: `account:${alice.id}`, cause: headers.get('x-request-id') });
});

test('limits count people, not the address that they share', async () => {
  const site = new Site([], { rateLimits: true });
  const [alice, bob] = [await site.person('alice'), await site.person('bob')];
  const left = ({ headers }: { headers: Headers }) => [
    headers.get('x-ratelimit-limit'),
    headers.get('x-ratelimit-remaining'),
  ];
  const post = (person: typeof alice) => person.act('/web/statuses', { status: 'A post' });

  expect(left(await post(alice))).toEqual(['300', '299']);
  expect(left(await post(alice))).toEqual(['300', '298']);
  expect(left(await post(bob))).toEqual(['300', '299']);
  expect(left(await bob.act(`/web/accounts/${alice.id}/follow`, {}))).toEqual(['300', '298']);
  const id = await alice.write('To be deleted');
  expect(left(await alice.act(`/web/statuses/${id}/delete`, {}))).toEqual(['30', '29']);
  expect(left(await bob.act(`/web/statuses/${id}/unreblog`, {}))).toEqual(['30', '29']);
});

describe('a button', () => {
  const pressed = (html: string, name: string) => html.includes(`<button class="act ${name}" form="acts"`);

  test.each([
    ['favourite', 'unfavourite', 'favourite'],
    ['reblog', 'unreblog', 'boost'],
    ['bookmark', 'unbookmark', 'bookmark'],
  ])('%s is undone by %s, and leads back to its place', async (act, undo, name) => {
    const site = new Site();
    const [alice, bob] = [await site.person('alice'), await site.person('bob')];
    const id = await alice.write('A post');
    const fields = { return_to: '/public/local' };

    const done = await bob.act(`/web/statuses/${id}/${act}?at=${id}`, fields);
    expect([done.status, done.location]).toEqual([303, `/public/local#status-${id}`]);
    const on = await bob.ask(`/@alice/${id}`);
    expect(pressed(on.html, name)).toBe(true);
    expect(on.html).toContain(`formaction="/web/statuses/${id}/${undo}?at=${id}" data-changes aria-pressed="true"`);

    await bob.act(`/web/statuses/${id}/${undo}?at=${id}`, fields);
    expect((await bob.ask(`/@alice/${id}`)).html).not.toContain('aria-pressed="true"');
  });

  test.each(['public', 'unlisted', 'private'])('boosts for %s readers, whatever is usual', async (visibility) => {
    const site = new Site();
    const [alice, bob] = [await site.person('alice'), await site.person('bob', { defaultPrivacy: 'unlisted' })];
    const id = await alice.write('A post');
    const path = `/web/statuses/${id}/reblog-${visibility}?at=${id}`;
    expect((await bob.ask(`/@alice/${id}`)).html).toContain(`formaction="${path}"`);
    expect((await bob.act(path, { answer: 'fragment' })).html).toContain(`/web/statuses/${id}/unreblog?at=${id}`);
    expect((await bob.ask(`/@alice/${id}`)).html).not.toContain('/reblog-');
    const [, reblogId] = /id="status-(\d+)"/.exec((await bob.ask('/@bob')).html)!;
    expect(findStatus(site.gateway.actors.read, BigInt(reblogId!))?.status.visibility).toBe(visibility);
  });

  test('asks for whom only where there is a choice', async () => {
    const site = new Site();
    const alice = await site.person('alice');
    const id = await alice.write('A post', { visibility: 'private' });
    expect((await alice.ask(`/@alice/${id}`)).html).not.toContain('/reblog-');
  });

  test('answers the script of the page with the changed piece', async () => {
    const site = new Site();
    const [alice, bob] = [await site.person('alice'), await site.person('bob')];
    const id = await alice.write('A post');
    const favourite = await bob.act(`/web/statuses/${id}/favourite?at=77`, { answer: 'fragment' });
    expect(favourite.status).toBe(200);
    expect(favourite.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(favourite.html).toMatch(new RegExp(`^<article class="status" data-status="${id}"`));
    expect(favourite.html).toContain(`/web/statuses/${id}/unfavourite?at=77`);
    expect(favourite.html).not.toContain('form_token');

    const follow = await bob.act(`/web/accounts/${alice.id}/follow`, { answer: 'fragment' });
    expect(follow.html).toContain('>Unfollow</button>');
    const unfollow = await bob.act(`/web/accounts/${alice.id}/unfollow`, { answer: 'fragment' });
    expect(unfollow.html).toContain('>Follow</button>');
    expect(unfollow.html).not.toContain('form_token');
  });

  test('a follow answers with the counts of both as they are now', async () => {
    const site = new Site();
    const [alice, bob] = [await site.person('alice'), await site.person('bob')];
    const { html } = await bob.act(`/web/accounts/${alice.id}/follow`, { answer: 'fragment' });
    const pieces = html.split('<section ');
    expect(pieces.map((piece) => /id="[^"]+"/.exec(piece)?.[0]).filter(Boolean)).toEqual([
      `id="profile-${alice.id}"`,
      'id="own"',
    ]);
    expect(textOf(pieces[1]!)).toContain('follower 1');
    expect(textOf(pieces[2]!)).toContain('following 1');
  });

  test('asks a locked account, and takes the request back', async () => {
    const site = new Site();
    const [alice, bob] = [await site.person('alice'), await site.person('bob')];
    await site.changeProfile(alice, { locked: true });
    await bob.act(`/web/accounts/${alice.id}/follow`);
    expect((await bob.ask('/@alice')).html).toContain('Cancel request</button>');
    await bob.act(`/web/accounts/${alice.id}/unfollow`);
    expect((await bob.ask('/@alice')).html).toContain('Follow</button>');
  });

  test('deletes only posts of its own', async () => {
    const site = new Site();
    const [alice, bob] = [await site.person('alice'), await site.person('bob')];
    const id = await alice.write('A post');
    expect((await bob.act(`/web/statuses/${id}/delete`)).status).toBe(404);
    const fromItsPage = await alice.act(`/web/statuses/${id}/delete?at=${id}`, { return_to: `/@alice/${id}` });
    expect([fromItsPage.status, fromItsPage.location]).toEqual([303, '/@alice?done=deleted']);
    expect(textOf((await alice.ask('/@alice?done=deleted')).html)).toContain('Your post is deleted.');
    expect(textOf((await bob.ask('/@alice?done=deleted')).html)).not.toContain('deleted');
    expect((await alice.ask(`/@alice/${id}`)).status).toBe(404);
    const another = await alice.write('Another post');
    const gone = await alice.act(`/web/statuses/${another}/delete`, { answer: 'fragment' });
    expect([gone.status, gone.html]).toEqual([200, expect.stringMatching(/^<section class="card own" id="own"/)]);
    expect(textOf(gone.html)).toContain('posts 0');
  });

  test('pins a post to the profile of its author, and unpins it', async () => {
    const site = new Site();
    const [alice, bob] = [await site.person('alice'), await site.person('bob')];
    const id = await alice.write('Look here first');
    await alice.write('Something later');
    const pinned = async () => {
      const [list = ''] = /<ol class="timeline pinned".*?<\/ol>/s.exec((await site.stranger.ask('/@alice')).html) ?? [];
      return textOf(list);
    };
    expect(await pinned()).toBe('');
    expect((await alice.act(`/web/statuses/${id}/pin`)).status).toBe(303);
    expect(await pinned()).toContain('Look here first');
    expect((await alice.ask('/@alice')).html).toContain(`formaction="/web/statuses/${id}/unpin?at=${id}"`);
    expect((await bob.act(`/web/statuses/${id}/pin`)).status).toBe(422);
    await alice.act(`/web/statuses/${id}/unpin`);
    expect(await pinned()).toBe('');
  });

  test('mutes and blocks whoever wrote a post, and takes it back', async () => {
    const site = new Site();
    const [alice, bob] = [await site.person('alice'), await site.person('bob')];
    await bob.act(`/web/accounts/${alice.id}/follow`);
    await alice.act(`/web/accounts/${bob.id}/follow`);
    await alice.write('A post');
    const shown = async (path: string) => (await bob.ask(path)).html.includes('A post');
    const offered = async () => {
      const { html } = await bob.ask('/@alice');
      const [head = ''] = html.split('<nav class="tabs"');
      return [...head.matchAll(/formaction="\/web\/accounts\/\d+\/([a-z-]+)"/g)].map(([, act]) => act);
    };
    expect((await bob.ask('/public/local')).html).toContain(`href="/web/accounts/${alice.id}/mute"`);
    const ofFollowed = ['hide-boosts', 'feature'];
    expect(await offered()).toEqual(['unfollow', 'notify', ...ofFollowed, 'remove-follower', 'block', 'note']);

    await bob.act(`/web/accounts/${alice.id}/mute`);
    expect([await shown('/'), await shown('/@alice')]).toEqual([false, true]);
    const whileMuted = ['unmute', 'unfollow', 'notify', ...ofFollowed, 'unmute', 'remove-follower', 'block', 'note'];
    expect(await offered()).toEqual(whileMuted);
    expect((await bob.ask('/mutes')).html).toContain('@alice');
    await bob.act(`/web/accounts/${alice.id}/unmute`);
    expect(await shown('/')).toBe(true);

    await bob.act(`/web/accounts/${alice.id}/remove-follower`);
    expect(await offered()).toEqual(['unfollow', 'notify', ...ofFollowed, 'block', 'note']);

    const blocked = await bob.act(`/web/accounts/${alice.id}/block`, { return_to: '/@alice' });
    expect(blocked.location).toBe('/@alice');
    expect([await shown('/'), await shown('/@alice')]).toEqual([false, false]);
    expect(textOf((await bob.ask('/@alice')).html)).toContain('Blocked');
    expect(await offered()).toEqual(['unblock', 'unblock', 'note']);
    expect((await bob.ask('/blocks')).html).toContain(`formaction="/web/accounts/${alice.id}/unblock"`);
    await bob.act(`/web/accounts/${alice.id}/unblock`);
    expect((await bob.ask('/blocks')).html).toContain('You have blocked nobody.');
  });

  test('does nothing to what its reader cannot see', async () => {
    const site = new Site();
    const [alice, bob] = [await site.person('alice'), await site.person('bob')];
    const id = await alice.write('For my followers', { visibility: 'private' });
    const answers = await Promise.all(
      ['favourite', 'reblog', 'unfavourite'].map((act) => bob.act(`/web/statuses/${id}/${act}`)),
    );
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect((await bob.act('/web/statuses/x/favourite')).status).toBe(404);
  });
});

describe('writing', () => {
  test('a warning makes a post sensitive, and folds it away', async () => {
    const site = new Site();
    const alice = await site.person('alice');
    const id = await alice.write('The gardener', { spoiler_text: 'The last <chapter>' });
    const { html } = await alice.ask(`/@alice/${id}`);
    expect(html).toContain(
      '<summary data-show="Show" data-hide="Hide"><span class="warning" dir="auto">The last &lt;chapter&gt;</span></summary>',
    );
  });

  test.each([
    ['nothing', '   ', '', 'Please fill this in.'],
    ['what cannot be seen', '\u0001\u009f', '', 'Please fill this in.'],
    ['too much', 'x'.repeat(501), 'A warning', 'This is too long: there can be 500 characters.'],
  ])('%s is refused, and what was written stays', async (_, text, warning, problem) => {
    const site = new Site();
    const alice = await site.person('alice');
    const fields = { status: text, spoiler_text: warning, visibility: 'private', return_to: '/public/local' };
    const { status, html } = await alice.act('/web/statuses', fields);
    expect(status).toBe(422);
    expect(html).toContain(`<p class="wrong" id="status-problem" role="alert">${problem}</p>`);
    expect(html).toContain(`>${text}</textarea>`);
    expect(html).toContain(`value="${warning}"`);
    expect(html).toContain('<option value="private" selected>');
    expect(html).toContain('name="return_to" value="/public/local"');
  });

  test('an answer to what cannot be seen is refused', async () => {
    const site = new Site();
    const [alice, bob] = [await site.person('alice'), await site.person('bob')];
    const id = await alice.write('For few', { visibility: 'direct' });
    expect((await bob.act('/web/statuses', { status: 'Hm', in_reply_to_id: id })).status).toBe(404);
  });
});

describe('editing', () => {
  const edit = '/web/statuses/:id/edit';
  const editOf = (id: string) => edit.replace(':id', id);

  test('begins with what was written, and leads back to the post', async () => {
    const site = new Site();
    const alice = await site.person('alice');
    const id = await alice.write('Helo <world>', { visibility: 'private', spoiler_text: 'A greeting' });
    expect((await alice.ask('/@alice')).html).toContain(`<a class="item" href="/web/statuses/${id}/edit">Edit</a>`);
    const form = await alice.ask(editOf(id));
    expect(form.html).toContain('>Helo &lt;world&gt;</textarea>');
    expect(form.html).toContain('value="A greeting"');
    expect(form.html).not.toContain('name="visibility"');
    const fields = { status: 'Hello <world>', return_to: `/@alice/${id}` };
    expect((await alice.act(editOf(id), fields)).location).toBe(`/@alice/${id}`);
    const { html } = await alice.ask(`/@alice/${id}`);
    expect(html).toContain('Hello &lt;world&gt;');
    expect(html).not.toContain('A greeting');
    expect(html).toContain('Edited');
    expect(html).toContain('title="Followers"');
  });

  test('refuses what is too long at its field, and keeps it', async () => {
    const site = new Site();
    const alice = await site.person('alice');
    const id = await alice.write('Short');
    const { status, html } = await alice.act(editOf(id), { status: 'x'.repeat(501) });
    expect(status).toBe(422);
    expect(html).toContain('aria-describedby="status-problem"');
    expect(html).toContain(`action="${editOf(id)}"`);
    expect(html).toContain(`>${'x'.repeat(501)}</textarea>`);
  });

  test('is for the author alone', async () => {
    const site = new Site();
    const [alice, bob] = [await site.person('alice'), await site.person('bob')];
    const id = await alice.write('Mine');
    expect((await bob.ask(editOf(id))).status).toBe(404);
    expect((await bob.act(editOf(id), { status: 'Yours' })).status).toBe(404);
    expect((await alice.ask(editOf('x'))).status).toBe(404);
    expect((await site.stranger.ask(editOf(id))).location).toContain('/auth/sign_in');
    expect((await alice.ask(editOf(id), { form: { form_token: 'guessed', status: 'Hm' } })).status).toBe(403);
  });
});

describe('polls', () => {
  async function asked(poll: { multiple?: boolean; hideTotals?: boolean } = {}) {
    const site = new Site();
    const [alice, bob] = [await site.person('alice'), await site.person('bob')];
    const caller = { kind: 'account', accountId: alice.id, limits: unlimited } as const;
    const options = ['Teal <b>', 'Wigeon', 'Both'];
    const { statusId } = await publishStatus(
      { caller, services: site.gateway.services },
      {
        text: 'What did you see?',
        spoilerText: '',
        poll: { options, multiple: false, hideTotals: false, expiresInSeconds: 3_600, ...poll },
      },
    );
    const shown = async (person: Pick<Person, 'ask'>) => {
      const { html } = await person.ask(`/@alice/${statusId}`);
      return /<div class="poll">.*?<\/div>/s.exec(html)![0];
    };
    return { site, alice, bob, id: statusId.toString(), shown };
  }
  const vote = (id: string) => `/web/statuses/${id}/vote`;

  test('are voted in once, and then show what was chosen', async () => {
    const { site, alice, bob, id, shown } = await asked();
    const ballot = await shown(bob);
    expect(ballot).toContain(
      `<input type="radio" form="acts" name="choice-${id}" value="1"> <span dir="auto">Wigeon</span>`,
    );
    expect(ballot).toContain('Teal &lt;b&gt;');
    for (const person of [alice, site.stranger]) expect(await shown(person)).not.toContain('<input');

    const done = await bob.act(`${vote(id)}?at=${id}`, { [`choice-${id}`]: '1', answer: 'fragment' });
    expect(textOf(done.html)).toContain('Wigeon Your choice 100%');
    expect(textOf(await shown(alice))).toMatch(/Teal &lt;b&gt; 0%.*Wigeon 100%.*1 vote · open until/);
    expect((await bob.act(vote(id), { [`choice-${id}`]: '0' })).status).toBe(422);
  });

  test('may have several answers, and keep their numbers until they end', async () => {
    const { site, bob, id, shown } = await asked({ multiple: true, hideTotals: true });
    expect(await shown(bob)).toContain('type="checkbox"');
    const form = new URLSearchParams({ form_token: await bob.formToken() });
    for (const choice of ['0', '2']) form.append(`choice-${id}`, choice);
    expect((await bob.ask(vote(id), { form })).status).toBe(303);
    const open = textOf(await shown(bob));
    expect(open).toMatch(
      /Teal &lt;b&gt; Your choice Wigeon Both Your choice 1 person · .* results are shown when it ends/,
    );
    site.gateway.actors.clock.advance(3_600_000);
    expect(textOf(await shown(bob))).toMatch(/Your choice 100%.*Wigeon 0%.*1 person · ended/);
  });

  test.each([
    ['nothing', {}],
    ['an option that there is not', { choice: '7' }],
  ])('refuse %s', async (_, { choice }: { choice?: string }) => {
    const { bob, id, shown } = await asked();
    const fields: Record<string, string> = choice === undefined ? {} : { [`choice-${id}`]: choice };
    expect((await bob.act(vote(id), fields)).status).toBe(422);
    expect(await shown(bob)).toContain('<input');
  });

  test('stay when the text of their post is edited on a page', async () => {
    const { alice, bob, id, shown } = await asked();
    await bob.act(vote(id), { [`choice-${id}`]: '2' });
    await alice.act(`/web/statuses/${id}/edit`, { status: 'What did you see today?' });
    expect((await alice.ask(`/@alice/${id}`)).html).toContain('What did you see today?');
    expect(textOf(await shown(bob))).toContain('Both Your choice 100%');
  });
});
