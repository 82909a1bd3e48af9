import { expect, test } from 'vitest';
import { findPushSubscription } from '../../src/actors/account/push/push.queries.ts';
import { subscribeToPush, unsubscribeFromPush } from '../../src/operations/push/change-subscription.ts';
import { pushToken, subscription } from '../gateway/rest/push-keys.ts';
import { Callers } from './callers.ts';

test('keys are kept in one spelling, for the token that they came with', async () => {
  const callers = new Callers();
  const alice = callers.as(callers.people.local('alice'));
  const padded = (text: string) => Buffer.from(text, 'base64url').toString('base64');
  const { p256dh, auth } = subscription.keys;
  const { endpoint } = subscription;
  const wish = {
    endpoint,
    p256dh: padded(p256dh),
    auth: padded(auth),
    isStandard: true,
    alerts: [],
    policy: 'all' as const,
  };
  await callers.people.server.call(pushToken('one', alice.caller.accountId));
  await subscribeToPush(alice, { tokenId: 'one', subscription: wish });
  const kept = (tokenId: string) => findPushSubscription(callers.people.server.read, alice.caller.accountId, tokenId);
  expect(kept('one')).toMatchObject({ p256dh, auth, endpoint });
  expect(kept('another')).toBeUndefined();
  await unsubscribeFromPush(alice, { tokenId: 'another' });
  expect(kept('one')).toBeDefined();
});
