import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Account } from '../../../src/actors/account/account.messages.ts';
import { NotificationType } from '../../../src/actors/account/notifications/notifications.records.ts';
import { pushPlainBytesMax } from '../../../src/outbound/web-push/encrypt.ts';
import { pushFacts, pushPayload } from '../../../src/outbound/web-push/push-payload.ts';
import { Addresses } from '../../../src/services/addresses.ts';
import { defaultPath } from '../../../src/services/media/default-pictures.ts';
import { Languages } from '../../../src/services/words/languages.ts';
import { publication } from '../../support/acts.ts';
import { People } from '../../support/people.ts';

const facts = {
  accessToken: 'token',
  locale: 'en',
  notificationId: 1n,
  type: 'mention' as const,
  icon: 'https://here.example/avatars/3.png',
  title: 'Bob mentioned you',
  body: 'hello',
};

test('behaviour of the Mastodon API: the keys in their order, the id as an integer', () => {
  expect(pushPayload({ ...facts, notificationId: 1_234_567_890_123_456_789n }).toString()).toBe(
    '{"access_token":"token","preferred_locale":"en","notification_id":1234567890123456789,"notification_type":"mention","icon":"https://here.example/avatars/3.png","title":"Bob mentioned you","body":"hello"}',
  );
});

test('no id loses a digit, and no text breaks the object', () => {
  const texts = fc.string({ unit: 'binary', maxLength: 50 });
  fc.assert(
    fc.property(fc.bigInt(1n, 2n ** 64n - 1n), texts, texts, texts, (notificationId, accessToken, title, body) => {
      const text = pushPayload({ ...facts, notificationId, accessToken, title, body }).toString();
      const parsed = JSON.parse(text);
      expect(Object.keys(parsed).slice(0, 4)).toEqual([
        'access_token',
        'preferred_locale',
        'notification_id',
        'notification_type',
      ]);
      expect(typeof parsed.notification_id).toBe('number');
      const rest = text.slice(JSON.stringify({ access_token: accessToken, preferred_locale: 'en' }).length - 1);
      expect(rest.startsWith(`,"notification_id":${notificationId},"`)).toBe(true);
    }),
  );
});

describe('what is told', async () => {
  const people = new People();
  const addresses = new Addresses('https://here.example');
  const languages = new Languages();
  const alice = people.local('alice');
  const bob = people.local('bob', { displayName: 'Bob <b>', noteHtml: '<p>I am Bob &amp; co</p>' });
  const reader = () => people.server.read;
  const told = (type: NotificationType, given: { statusId?: bigint; locale?: string; accountId?: bigint } = {}) => {
    const { locale = 'en', accountId = bob.id, statusId } = given;
    return pushFacts(reader(), addresses, {
      notificationId: 1n,
      notification: { type, accountId, createdAt: 0, ...(statusId !== undefined && { statusId }) },
      ownId: alice.id,
      locale,
      words: languages.best([locale]),
    });
  };

  test.each(NotificationType.options)('%s has a title in each language', (type) => {
    const titles = ['en', 'de'].map((locale) => told(type, { locale })!.title);
    for (const title of titles) expect(title).toMatch(/\S/);
    if (!['moderation_warning', 'severed_relationships'].includes(type))
      for (const title of titles) expect(title).toContain('Bob <b>');
    expect(titles[0]).not.toBe(titles[1]);
  });

  test('without a status the note of the sender, with one its content warning, else its text, as one line', async () => {
    expect(told('follow')).toMatchObject({
      body: 'I am Bob & co',
      icon: `https://here.example${defaultPath(bob.id, 'avatar')}`,
    });
    const write = (changes: object) =>
      people.server.call(Account.publish.to(bob.id, { ...publication({ text: 'secret' }), ...changes }));
    const plain = await write({ content: '<p>one<br>two</p><p><a href="x">three</a> &lt;four&gt;</p>' });
    expect(told('status', plain)!.body).toBe('one two three <four>');
    expect(told('status', await write({ spoilerText: 'careful' }))!.body).toBe('careful');
  });

  test('a reply and a private mention are told as such; a poll of its own as its own', async () => {
    const post = await people.publish(alice, { text: 'mine' });
    const reply = await people.publish(bob, { text: 'yes', replyTo: post, mentions: [alice] });
    const direct = await people.publish(bob, { text: 'psst', visibility: 'direct', mentions: [alice] });
    expect(told('mention', { statusId: reply.id })!.title).toBe('Bob <b> replied to you');
    expect(told('mention', { statusId: direct.id })!.title).toBe('Bob <b> wrote to you');
    expect(told('poll', { statusId: post.id, accountId: alice.id })!.title).toBe('Your poll has ended');
    await people.remove(reply);
    expect(told('mention', { statusId: reply.id })).toBeUndefined();
    expect(told('follow', { accountId: 99n })).toBeUndefined();
  });

  test('whatever strangers call themselves, write and show, it fits into a message', async () => {
    const mallory = people.remote('mallory', 'far.example', {
      displayName: '\u0001'.repeat(2_000),
      avatar: `https://far.example/${'x'.repeat(2_000)}.png`,
    });
    const post = await people.receive(mallory, 'https://far.example/1', { text: `<p>${'👩‍🚀'.repeat(5_000)}</p>` });
    const long = told('status', { statusId: post.id, accountId: mallory.id })!;
    expect([...long.body].length).toBe(140);
    expect(long.body.endsWith('…')).toBe(true);
    expect(long.icon).toBe(`https://here.example${defaultPath(mallory.id, 'avatar')}`);
    const payload = pushPayload({ ...long, accessToken: 'x'.repeat(512) });
    expect(payload.length).toBeLessThanOrEqual(pushPlainBytesMax);
    const eve = people.remote('eve', 'far.example', { avatar: 'https://far.example/eve.png' });
    expect(told('follow', { accountId: eve.id })!.icon).toBe('https://far.example/eve.png');
  });
});
