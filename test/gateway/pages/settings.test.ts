/** The page of settings: the profile and the password. */
import { describe, expect, test } from 'vitest';
import { findAccount } from '../../../src/actors/account/statuses/statuses.queries.ts';
import { hashPassword } from '../../../src/operations/registration/passwords.ts';
import { Site, textOf } from './site.ts';
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
    };
    const changed = await alice.act('/web/settings/profile', fields);
    expect([changed.status, changed.location]).toEqual([303, '/settings?done=profile']);
    const profile = () => findAccount(site.gateway.actors.read, alice.id)!.profile;
    expect(profile()).toMatchObject({ note: 'I wade. <b>', locked: true, bot: false, discoverable: true });
    expect(profile().fields.map(({ name, value }) => `${name}: ${value}`)).toEqual([
      'Web: https://alice.example',
      'Pronouns: she',
    ]);
    const page = await alice.ask('/settings?done=profile');
    expectStrict(page);
    expect(textOf(page.html)).toContain('Your profile is changed.');
    expect(page.html).toContain('name="locked" value="1" checked');
    expect(page.html).toContain('>I wade. &lt;b&gt;</textarea>');

    await alice.act('/web/settings/profile', { display_name: 'Alice' });
    expect(profile()).toMatchObject({ displayName: 'Alice', note: '', fields: [], locked: false, discoverable: false });
  });

  test.each([
    ['a long name', { display_name: 'a'.repeat(31) }, 'Display name is too long (maximum is 30 characters)'],
    ['a field without a label', { field_value_1: 'she' }, 'Field name can&#39;t be blank'],
  ])('%s is refused, and what was written stays', async (_, fields, problem) => {
    const site = new Site();
    const alice = await site.person('alice');
    const page = await alice.act('/web/settings/profile', { note: 'Kept <here>', ...fields });
    expect(page.status).toBe(422);
    expectStrict(page);
    expect(page.html).toContain(`<p role="alert">${problem}</p>`);
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
    ['a wrong present one', { present: 'a guess', wanted }, 'present', 'This is not your present password.'],
    ['a short new one', { present, wanted: 'short' }, 'wanted', 'A password has at least 8 characters'],
    ['none at all', {}, 'wanted', 'A password has at least 8 characters'],
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
