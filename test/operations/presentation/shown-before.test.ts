/** A page shown before is decided again only where something that decides about it has changed. */
import { beforeEach, describe, expect, test } from 'vitest';
import { Account } from '../../../src/actors/account/account.messages.ts';
import { filtersOf } from '../../../src/actors/account/filters/filters.queries.ts';
import type { GatewayServices } from '../../../src/gateway/gateway-services.ts';
import type { PresentationContext } from '../../../src/operations/presentation/contexts.ts';
import * as acts from '../../support/acts.ts';
import type { Person } from '../../support/observer.ts';
import { People } from '../../support/people.ts';
import { presenting } from '../../support/presenting.ts';

interface Seen {
  readonly favourited: boolean;
  readonly content: string;
  readonly filtered: readonly unknown[];
  readonly account: { readonly display_name: string };
}

let people: People;
let services: GatewayServices;
let alice: Person;
let bob: Person;
let dave: Person;
let rita: Person;
let post: acts.Post;
let remotePost: acts.Post;

beforeEach(async () => {
  people = new People();
  services = presenting(people.server);
  alice = people.local('alice');
  bob = people.local('bob');
  dave = people.local('dave');
  rita = people.remote('rita', 'there.test');
  post = await people.publish(alice, { text: 'cats' });
  remotePost = await people.receive(rita, 'https://there.test/statuses/1');
});

/** What bob is shown of a status: read several times, so that what was decided is remembered. */
function seen(which = post, context: PresentationContext = 'home'): Seen | undefined {
  const page = () => services.presenter.page(BigUint64Array.of(which.id), bob.id, context);
  for (let time = 0; time < 3; time += 1) page();
  const [shown] = JSON.parse(services.answers.list(page()).toString()) as Seen[];
  return shown;
}

const tell = (message: Parameters<People['say']>[0]) => people.say(message);

function filter(action: 'warn' | 'hide', keyword = 'cats', expiresInSeconds: number | null = null): void {
  const [known] = filtersOf(people.server.read, bob.id);
  const changes = {
    ...{ title: 'Animals', contexts: ['home' as const], action, isIrreversible: action === 'hide' },
    expiresInSeconds,
  };
  const keywords = [{ id: known?.keywords[0]?.id, keyword }];
  tell(Account.changeFilter.to(bob.id, { filterId: known?.id, changes, keywords }));
}

describe('is hidden as soon as', () => {
  test.each<[string, () => unknown, (() => acts.Post)?, PresentationContext?]>([
    ['its author is blocked', () => people.block(bob, alice)],
    ['its author blocks the viewer', () => people.block(alice, bob)],
    ['its author is muted', () => people.mute(bob, alice)],
    ['its author is suspended', () => people.suspend(alice)],
    ['its author is limited, in public', () => people.moderate(alice, { limited: true }), () => post, 'public'],
    ['its author is limited, in a thread', () => people.moderate(alice, { limited: true }), () => post, 'thread'],
    ['its author is blocked, in a thread', () => people.block(bob, alice), () => post, 'thread'],
    ['a filter drops it', () => filter('hide')],
    ['it is deleted', () => people.remove(post)],
    [
      'the domain of its author is blocked',
      () => tell(Account.blockDomain.to(bob.id, { domain: 'there.test', followed: [] })),
      () => remotePost,
    ],
  ])('%s', async (_what, act, which = () => post, context = 'home') => {
    expect(seen(which(), context)).toBeDefined();
    await act();
    expect(seen(which(), context)).toBeUndefined();
  });
});

describe('is shown again as soon as', () => {
  test.each<[string, () => unknown, () => unknown]>([
    ['a mute is taken back', () => people.mute(bob, alice), () => people.unmute(bob, alice)],
    ['a block is taken back', () => people.block(bob, alice), () => people.unblock(bob, alice)],
    ['a filter says something else', () => filter('hide'), () => filter('hide', 'dogs')],
    ['a mute ends', () => people.mute(bob, alice, { seconds: 60 }), () => people.server.clock.advance(61_000)],
    ['a filter ends', () => filter('hide', 'cats', 60), () => people.server.clock.advance(61_000)],
    ['it is edited', () => filter('hide'), () => tell(acts.edit(post, { text: 'dogs' }))],
  ])('%s', async (_what, hide, undo) => {
    await hide();
    expect(seen()).toBeUndefined();
    await undo();
    expect(seen()).toBeDefined();
  });
});

describe('a status that mentions somebody', () => {
  const mentioning = async (author = alice) => people.publish(author, { text: 'dear dave', mentions: [dave, bob] });

  test.each<[string, () => unknown, () => unknown]>([
    ['blocks', () => people.block(bob, dave), () => people.unblock(bob, dave)],
    ['mutes', () => people.mute(bob, dave), () => people.unmute(bob, dave)],
  ])('whom the viewer %s is not at home, and elsewhere it is', async (_does, hide, undo) => {
    const written = await mentioning();
    const reblog = await people.reblog(rita, written);
    expect([seen(written), seen(reblog), seen(written, 'stream')]).not.toContain(undefined);
    await hide();
    expect([seen(written), seen(reblog), seen(written, 'stream')]).toEqual([undefined, undefined, undefined]);
    for (const context of ['single', 'account', 'thread', 'public'] as const)
      expect(seen(written, context)).toBeDefined();
    expect(seen(await mentioning(bob))).toBeDefined();
    await undo();
    expect([seen(written), seen(reblog)]).not.toContain(undefined);
  });

  test('who blocks the viewer is shown as before', async () => {
    const written = await mentioning();
    await people.block(dave, bob);
    expect(seen(written)).toBeDefined();
  });
});

test.each<[string, () => unknown, (shown: Seen) => unknown, unknown]>([
  ['a favourite', () => people.favourite(bob, post), ({ favourited }) => favourited, true],
  ['a filter', () => filter('warn'), ({ filtered }) => filtered.length, 1],
  ['an edit', () => tell(acts.edit(post, { text: 'dogs' })), ({ content }) => content, '<p>dogs</p>'],
  ['a name', () => people.change(alice, { displayName: 'A.' }), ({ account }) => account.display_name, 'A.'],
])('%s is seen at once', async (_what, act, part, expected) => {
  expect(part(seen()!)).not.toEqual(expected);
  await act();
  expect(part(seen()!)).toEqual(expected);
});

test('an edit that a filter matches is seen with the match, and one that it does not match without', async () => {
  filter('warn', 'dogs');
  const matches = () => seen()!.filtered.length;
  expect(matches()).toBe(0);
  tell(acts.edit(post, { text: 'dogs' }));
  expect(matches()).toBe(1);
  tell(acts.edit(post, { text: 'birds' }));
  expect(matches()).toBe(0);
});

test('a reblog changes with its original', async () => {
  filter('warn', 'dogs');
  const reblog = await people.reblog(rita, post);
  const matches = () => seen(reblog)!.filtered.length;
  expect(matches()).toBe(0);
  tell(acts.edit(post, { text: 'dogs' }));
  expect(matches()).toBe(1);
  await people.block(bob, alice);
  expect(seen(reblog)).toBeUndefined();
});

test('what a context shows says nothing about another', async () => {
  filter('hide');
  expect(seen(post, 'single')).toBeDefined();
  expect(seen(post, 'home')).toBeUndefined();
});
