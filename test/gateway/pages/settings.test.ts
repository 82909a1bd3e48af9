/** The page of settings: the profile and the password. */

import { describe, expect, test } from 'vitest';
import { Account } from '../../../src/actors/account/account.messages.ts';
import { mailOf } from '../../../src/actors/account/mail/mail.queries.ts';
import { findAccount } from '../../../src/actors/account/profile/profiles.queries.ts';
import { browserKey, Session } from '../../../src/actors/session/session.messages.ts';
import {
  browserSessionsOfAccount,
  grantOfToken,
  type ListedBrowserSession,
} from '../../../src/actors/session/session.queries.ts';
import { featureTagRoutes } from '../../../src/gateway/pages/settings/feature-tags.ts';
import { movingRoutes } from '../../../src/gateway/pages/settings/moving-page.ts';
import { signOutRoutes } from '../../../src/gateway/pages/settings/sign-out-elsewhere.ts';
import { issueToken } from '../../../src/operations/applications/issue-token.ts';
import { registerApplication } from '../../../src/operations/applications/register-application.ts';
import { operator } from '../../../src/operations/caller.ts';
import { hashPassword } from '../../../src/operations/registration/passwords.ts';
import { type Person, Site, textOf } from './site.ts';
import { expectStrict } from './strict.ts';

const cheapCost = { memoryKibibytes: 8, iterations: 1 };
const hostile = '"><script>alert(1)</script>';

test('is for those who are signed in', async () => {
  const site = new Site();
  expect((await site.stranger.ask('/settings')).location).toBe('/auth/sign_in?return_to=%2Fsettings');
  const form = { form_token: 'guessed', display_name: 'Mallory' };
  const [alice, sent] = [await site.person('alice'), await site.stranger.ask('/web/settings/profile', { form })];
  expect(sent.location).toContain('/auth/sign_in');
  expect((await alice.ask('/web/settings/profile', { form })).status).toBe(403);
  expect((await alice.ask('/web/settings/password', { form })).status).toBe(403);
  expect((await alice.ask('/settings')).html).not.toContain('Mallory');
});

describe('the profile', () => {
  test('is shown as it is, and changed', async () => {
    const site = new Site();
    const alice = await site.person('alice');
    const fields = {
      display_name: `Alice ${hostile}`.slice(0, 30),
      note: 'I wade. <b>',
      field_name_0: 'Web',
      field_value_0: 'https://alice.example',
      field_name_2: 'Pronouns',
      field_value_2: 'she',
      locked: '1',
      discoverable: '1',
      indexable: '1',
      hide_collections: '1',
      attribution_domains: 'https://alice.example/\r\n*.birds.example alice.example',
    };
    const changed = await alice.act('/web/settings/profile', fields);
    expect([changed.status, changed.location]).toEqual([303, '/settings?done=profile']);
    const profile = () => findAccount(site.gateway.actors.read, alice.id)!.profile;
    expect(profile()).toMatchObject({ note: 'I wade. <b>', locked: true, bot: false, discoverable: true });
    expect(profile()).toMatchObject({ indexable: true, hideCollections: true });
    expect(profile().attributionDomains).toEqual(['alice.example', 'birds.example']);
    expect(profile().fields.map(({ name, value }) => `${name}: ${value}`)).toEqual([
      'Web: https://alice.example',
      'Pronouns: she',
    ]);
    const page = await alice.ask('/settings?done=profile');
    expectStrict(page);
    expect(textOf(page.html)).toContain('Your profile is changed.');
    expect(page.html).toContain('name="locked" value="1" checked');
    expect(page.html).toContain('>I wade. &lt;b&gt;</textarea>');
    expect(page.html).toContain('>alice.example\nbirds.example</textarea>');

    await alice.act('/web/settings/profile', { display_name: 'Alice' });
    expect(profile()).toMatchObject({ displayName: 'Alice', note: '', fields: [], locked: false, discoverable: false });
    expect(profile()).toMatchObject({ indexable: false, hideCollections: false, attributionDomains: [] });
  });

  test.each([
    ['a long name', 'display_name', { display_name: 'a'.repeat(31) }, 'This is too long: there can be 30 characters.'],
    [
      'a web site that is none',
      'attribution_domains',
      { attribution_domains: 'a.example/birds' },
      'This is not valid.',
    ],
    ['a field without a label', 'field-1', { field_value_1: 'she' }, 'A label is missing here.'],
    ['a long label', 'field-3', { field_name_3: 'a'.repeat(256) }, 'This is too long: there can be 255 characters.'],
  ])('%s is refused at its field, and what was written stays', async (_, id, fields, problem) => {
    const site = new Site();
    const alice = await site.person('alice');
    const page = await alice.act('/web/settings/profile', { note: 'Kept <here>', ...fields });
    expect(page.status).toBe(422);
    expectStrict(page);
    expect(page.html).toContain(`<p class="wrong" id="${id}-problem">${problem}</p>`);
    expect(page.html).toContain(
      `aria-describedby="${['display_name', 'attribution_domains'].includes(id) ? `${id}-hint ` : ''}${id}-problem"`,
    );
    expect(page.html).toContain('>Kept &lt;here&gt;</textarea>');
    expect(findAccount(site.gateway.actors.read, alice.id)!.profile).toMatchObject({ displayName: 'alice', note: '' });
  });
});

describe('the password', () => {
  const present = 'the present password';
  const wanted = 'another long password';

  async function keeper() {
    const site = new Site();
    return { site, alice: await site.person('alice', { passwordHash: await hashPassword(present, cheapCost) }) };
  }

  test('is changed by whoever knows it: other sessions end, this one goes on', async () => {
    const { alice } = await keeper();
    const changed = await alice.act('/web/settings/password', { present, wanted });
    expect([changed.status, changed.location]).toEqual([303, '/settings?done=password']);
    expect((await alice.ask('/settings')).location).toContain('/auth/sign_in');
    const cookie = changed.headers.get('set-cookie')!.split(';')[0]!;
    expect((await alice.ask('/settings?done=password', { headers: { cookie } })).html).toContain(
      'Your password is changed',
    );
  });

  test.each([
    ['a wrong present one', { present: 'a guess', wanted }, 'present', 'This is not your password.'],
    [
      'a short new one',
      { present, wanted: 'short' },
      'wanted',
      'This is too short: there must be at least 8 characters.',
    ],
    ['none at all', {}, 'wanted', 'Please fill this in.'],
  ])('stays with %s, which is said at its field', async (_, fields, name, problem) => {
    const { alice } = await keeper();
    const page = await alice.act('/web/settings/password', fields);
    expect(page.status).toBe(422);
    expectStrict(page);
    expect(page.html).toContain(`<p class="wrong" id="${name}-problem">${problem}`);
    expect(page.html).not.toContain(present);
    expect((await alice.ask('/settings')).status).toBe(200);
  });
});

/** What the rows of a section say, and where their buttons lead. */
async function rowsOf(person: Person, section: 'browsers' | 'applications') {
  const { html } = await person.ask('/settings/sessions');
  const [part = ''] = new RegExp(`<section [^>]*id="${section}".*?</section>`, 's').exec(html) ?? [];
  return [...part.matchAll(/<li>.*?<\/li>/gs)].map(([row]) => ({
    says: textOf(row),
    end: /formaction="([^"]+)"/.exec(row)?.[1],
  }));
}

describe('browsers', () => {
  test('are listed, the latest first, and each can be signed out from another', async () => {
    const site = new Site();
    const laptop = await site.person('alice');
    const phone = await site.signIn(laptop.id, 'Safari · iPhone');
    const nameless = await site.signIn(laptop.id, '');
    const rows = await rowsOf(phone, 'browsers');
    expect(rows.map(({ says }) => says.split(' Signed in on ')[0])).toEqual([
      'A browser',
      'Safari · iPhone This one',
      'Firefox · Linux',
    ]);
    expect(rows[1]!.end).toBeUndefined();
    const bob = await site.person('bob');
    expect((await bob.act(rows[2]!.end!)).status).toBe(404);

    expect((await phone.act(rows[2]!.end!)).location).toBe('/settings/sessions?done=browser');
    expect((await laptop.ask('/settings')).status).toBe(303);
    expect((await nameless.ask('/settings')).status).toBe(200);
    expect(await rowsOf(phone, 'browsers')).toHaveLength(2);
  });

  test('all but this one are signed out at once', async () => {
    const site = new Site();
    const [alice, bob] = [await site.person('alice'), await site.person('bob')];
    const others = await Promise.all(['A', 'B', 'C'].map((name) => site.signIn(alice.id, name)));
    expect((await alice.act('/web/sessions/close-others')).location).toBe('/settings/sessions?done=browsers');
    const answers = await Promise.all(others.map((other) => other.ask('/settings')));
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303]);
    expect(await rowsOf(alice, 'browsers')).toHaveLength(1);
    expect((await alice.ask('/settings/sessions')).html).not.toContain('/web/sessions/close-others');
    expect((await bob.ask('/settings')).status).toBe(200);
  });

  test('say on which day they were used last', async () => {
    const site = new Site();
    const alice = await site.person('alice');
    const phone = await site.signIn(alice.id, 'Safari · iPhone');
    site.gateway.actors.clock.advance(3 * 24 * 60 * 60 * 1000);
    await alice.ask('/about');
    const rows = await rowsOf(alice, 'browsers');
    expect(rows.map(({ says }) => /last used (\d+ days ago|today)/.exec(says)?.[1])).toEqual(['3 days ago', 'today']);
    await phone.ask('/about');
    expect((await rowsOf(alice, 'browsers'))[0]!.says).toContain('last used today');
  });
});

test('the history of sign-ins is for its owner, with those that failed', async () => {
  const site = new Site();
  const [alice, bob] = [await site.person('alice'), await site.person('bob')];
  const source = { address: '192.0.2.7', userAgent: 'Mozilla/5.0 (X11; Linux) Firefox/140.0', until: 1e15 };
  for (const [way, succeeded] of [
    ['password', false],
    ['secondFactor', true],
    ['passkey', true],
  ] as const)
    await site.gateway.actors.call(Account.signedIn.to(alice.id, { ...source, way, succeeded }));
  const page = await alice.ask('/settings/sessions');
  expectStrict(page);
  const says = Array.from(page.html.match(/id="history".*<\/section>/s)![0].matchAll(/<li>.*?<\/li>/gs), ([row]) =>
    textOf(row),
  );
  expect(says).toEqual([
    expect.stringMatching(/^Signed in with a passkey .*192\.0\.2\.7 · Firefox · Linux$/),
    expect.stringMatching(/^Signed in, in two steps .*192\.0\.2\.7 · Firefox · Linux$/),
    expect.stringMatching(/^A wrong password .*192\.0\.2\.7 · Firefox · Linux$/),
  ]);
  expect((await bob.ask('/settings/sessions')).html).not.toContain('192.0.2.7');
  expect((await site.stranger.ask('/settings/sessions')).location).toContain('/auth/sign_in');
});

test('where a browser was last used is shown as long as addresses are kept', async () => {
  const site = new Site();
  const alice = await site.person('alice');
  const [{ sessionId }] = browserSessionsOfAccount(site.gateway.actors.read, alice.id, 0) as [ListedBrowserSession];
  const day = 24 * 60 * 60 * 1_000;
  const until = site.gateway.actors.clock.now() + 5 * day;
  const use = (number: number, address: string) => {
    const from = { address, until: until + number * day };
    return site.gateway.actors.call(
      Session.browserSessionUsed.to(browserKey(sessionId), { day: 30_000 + number, from }),
    );
  };
  await use(1, '192.0.2.1');
  await use(2, '192.0.2.2');
  const shown = async () => /Last from ([\d.]+)/.exec((await rowsOf(alice, 'browsers'))[0]!.says)?.[1];
  expect(await shown()).toBe('192.0.2.2');
  site.gateway.actors.clock.advance(7 * day + 1);
  site.gateway.actors.settle();
  const [{ session }] = browserSessionsOfAccount(site.gateway.actors.read, alice.id, 0) as [ListedBrowserSession];
  expect([session.usedFrom, await shown()]).toEqual([undefined, undefined]);
});

describe('applications', () => {
  async function authorized() {
    const site = new Site();
    const [alice, bob] = [await site.person('alice'), await site.person('bob')];
    const { services } = site.gateway;
    const { clientId } = await registerApplication(
      { caller: operator, services },
      { name: 'Tusky <b>', dialect: 'mastodon', redirectUris: ['https://app.example/back'], scopes: ['read', 'write'] },
    );
    const tokenFor = async ({ id: accountId }: Person) => {
      const rights = { clientId, applicationId: 7n, accountId, scopes: ['read'], dialect: 'mastodon' } as const;
      return (await issueToken(services, { ...rights, scopes: [...rights.scopes] })).token;
    };
    const tokens = { first: await tokenFor(alice), second: await tokenFor(alice), ofBob: await tokenFor(bob) };
    const isAlive = (token: string) => grantOfToken(site.gateway.actors.read, token) !== undefined;
    return { site, alice, bob, tokens, alive: () => Object.values(tokens).map(isAlive) };
  }

  test('are listed with what they may do, and revoked one by one by their owner', async () => {
    const { alice, bob, alive } = await authorized();
    const rows = await rowsOf(alice, 'applications');
    expect(rows.map(({ says }) => says)).toEqual([
      expect.stringMatching(/^Tusky &lt;b&gt; Authorized on .*, never used. It may: read Revoke$/),
      expect.stringMatching(/^Tusky &lt;b&gt; /),
    ]);
    expect((await bob.act(rows[0]!.end!)).status).toBe(404);
    expect((await alice.act('/web/authorizations/x/revoke')).status).toBe(404);
    expect(alive()).toEqual([true, true, true]);
    expect((await alice.act(rows[0]!.end!)).location).toBe('/settings/sessions?done=application');
    expect(alive()).toEqual([true, false, true]);
    expect(await rowsOf(alice, 'applications')).toHaveLength(1);
  });

  test('are revoked with a new password before that is answered', async () => {
    const { site, alice, alive } = await authorized();
    const passwordHash = await hashPassword('the present password', cheapCost);
    await site.gateway.actors.call(Account.changeLogin.to(alice.id, { passwordHash }));
    const browser = await site.signIn(alice.id, 'Firefox · Linux');
    const form = {
      form_token: await browser.formToken(),
      present: 'the present password',
      wanted: 'another long password',
    };
    expect((await browser.ask('/web/settings/password', { form })).location).toBe('/settings?done=password');
    expect(alive()).toEqual([false, false, true]);
  });

  test('are all revoked at once', async () => {
    const { alice, alive } = await authorized();
    expectStrict(await alice.ask('/settings/sessions'));
    expect((await alice.act('/web/authorizations/revoke-all')).location).toBe('/settings/sessions?done=applications');
    expect(alive()).toEqual([false, false, true]);
    expect((await alice.ask('/settings/sessions')).html).toContain('No application acts for you.');
  });
});

const forms = [...signOutRoutes, ...movingRoutes, ...featureTagRoutes].filter(({ method }) => method === 'POST');

test.each(forms.map(({ path }) => path.replace(':id', '1')))('%s asks for the token of the form', async (path) => {
  const site = new Site();
  const alice = await site.person('alice');
  expect((await alice.ask(path, { form: { form_token: 'guessed' } })).status).toBe(403);
  expect((await site.stranger.ask(path, { form: {} })).location).toContain('/auth/sign_in');
});

describe('featured hashtags', () => {
  test('are added, shown on the profile, and removed', async () => {
    const site = new Site();
    const alice = await site.person('alice');
    await alice.write('One of #cats');
    expect((await alice.ask('/settings')).html).toMatch(
      /tags\/cats\/feature" aria-label="Feature #cats" dir="auto">#cats</,
    );
    expect((await alice.act('/web/featured-tags', { name: '#Cats' })).location).toBe('/settings?done=tags');
    const { html } = await alice.ask('/settings?done=tags');
    expect(textOf(html)).toContain('1 post');
    expect(html).not.toContain('/feature"');
    expect((await site.stranger.ask('/@alice')).html).toContain('/@alice/tagged/cats');
    const id = /\/web\/featured-tags\/(\d+)\/remove/.exec(html)![1];
    const bob = await site.person('bob');
    expect((await bob.act(`/web/featured-tags/${id}/remove`)).status).toBe(404);
    expect((await alice.act(`/web/featured-tags/${id}/remove`)).location).toBe('/settings?done=tags');
    expect((await site.stranger.ask('/@alice')).html).not.toContain('/@alice/tagged/cats');
  });

  test.each([
    ['a b', 'This is not valid.'],
    ['12', 'This is not valid.'],
  ])('that cannot be one, as %j, is shown again with what is wrong', async (name, problem) => {
    const site = new Site();
    const alice = await site.person('alice');
    const page = await alice.act('/web/featured-tags', { name });
    expectStrict(page);
    expect([page.status, page.html.includes(`value="${name}"`), textOf(page.html).includes(problem)]).toEqual([
      ...[422, true, true],
    ]);
  });
});

describe('the e-mail address', () => {
  async function withMail() {
    const site = new Site();
    Object.assign(site.gateway.services, { mail: { isOn: true } });
    const passwordHash = await hashPassword('a good password', cheapCost);
    return { site, alice: await site.person('alice', { passwordHash }) };
  }

  test('is changed by who has the password, when the new one is confirmed', async () => {
    const { site, alice } = await withMail();
    const fields = { email: 'new@example.org', email_password: 'a good password' };
    expect(await alice.act('/web/settings/email', fields)).toMatchObject({
      status: 303,
      location: '/settings?done=email',
    });
    expect(mailOf(site.gateway.actors.read, alice.id).confirmation).toMatchObject({ email: 'new@example.org' });
    const page = await alice.ask('/settings');
    expect(page.html).toContain('new@example.org waits until you have followed the link');
    expectStrict(page);
  });

  test.each([
    [{ email: 'new@example.org', email_password: 'wrong' }, 'This is not your password.'],
    [{ email: 'nobody', email_password: 'a good password' }, 'This is not valid.'],
  ])('%j is refused', async (fields, sentence) => {
    const { site, alice } = await withMail();
    const page = await alice.act('/web/settings/email', fields);
    expect([page.status, textOf(page.html).includes(sentence)]).toEqual([422, true]);
    expect(mailOf(site.gateway.actors.read, alice.id).confirmation).toBeUndefined();
  });

  test('is not shown where no mail is sent', async () => {
    const alice = await new Site().person('alice');
    expect((await alice.ask('/settings')).html).not.toContain('/web/settings/email');
  });
});

test('what is told by mail is chosen on a page; staff topics are shown to staff', async () => {
  const site = new Site();
  const [alice, mona] = [await site.person('alice'), await site.person('mona', { role: 'moderator' })];
  const checked = (html: string, name: string) =>
    new RegExp(`name="${name.replace('.', '\\.')}" value="1" checked`).test(html);
  const { html: before } = await alice.ask('/settings/mails');
  expect([checked(before, 'mention'), checked(before, 'reblog'), checked(before, 'always')]).toEqual([
    true,
    false,
    false,
  ]);
  expect(before).not.toContain('admin.report');
  expect(checked((await mona.ask('/settings/mails')).html, 'admin.report')).toBe(true);
  const answer = await alice.act('/web/settings/mails', { reblog: '1', always: '1' });
  expect([answer.status, answer.location]).toEqual([303, '/settings/mails?done=1']);
  const { html: after } = await alice.ask('/settings/mails');
  expect([checked(after, 'mention'), checked(after, 'reblog'), checked(after, 'always')]).toEqual([false, true, true]);
});
