/** Creates, changes and removes the web push subscription of the caller's token, or of a session of the pages. */
import { ECDH } from 'node:crypto';
import { z } from 'zod';
import { Account } from '../../actors/account/account.messages.ts';
import { NewPushSubscription, PushSubscription } from '../../actors/account/push/push.records.ts';
import { browserKey, Session, tokenKey } from '../../actors/session/session.messages.ts';
import { pushAuthBytes, pushCurve } from '../../outbound/web-push/encrypt.ts';
import { validationFailure } from '../../runtime/errors.ts';
import type { Services } from '../../services/services.ts';
import { flowOf } from '../caller.ts';
import { operation } from '../operation.ts';

const endpointCharactersMax = 2_048;
const base64 = /^[A-Za-z0-9+/_-]{1,200}={0,2}$/;

const ofToken = { tokenId: z.string() };

/**
 * Throws Failure validation for an address or keys that could not be used for sending, and tokenInvalid where the token was
 * revoked meanwhile.
 */
export const subscribeToPush = operation({
  input: z.object({ ...ofToken, subscription: NewPushSubscription }),
  permission: 'manageOwnAccount',
  run({ caller, services }, { tokenId, subscription }): Promise<PushSubscription> {
    const checked = checkedSubscription(services, subscription);
    return services.client.call(
      Session.subscribeToPush.to(tokenKey(tokenId), { subscription: checked }),
      flowOf(caller),
    );
  },
});

/** The same for a browser: `sessionId` is the digest of its secret. Throws tokenInvalid where it is signed out. */
export const subscribeBrowserToPush = operation({
  input: z.object({ sessionId: z.string(), subscription: NewPushSubscription }),
  permission: 'manageOwnAccount',
  run({ caller, services }, { sessionId, subscription }): Promise<PushSubscription> {
    const checked = checkedSubscription(services, subscription);
    return services.client.call(
      Session.subscribeBrowserToPush.to(browserKey(sessionId), { subscription: checked }),
      flowOf(caller),
    );
  },
});

/** Throws Failure notFound where the token has none. */
export const changePush = operation({
  input: z.object({ ...ofToken, changes: PushSubscription.pick({ alerts: true, policy: true }).partial() }),
  permission: 'manageOwnAccount',
  run: ({ caller, services }, given): Promise<PushSubscription> =>
    services.client.call(Account.changePush.to(caller.accountId, given), flowOf(caller)),
});

export const unsubscribeFromPush = operation({
  input: z.object(ofToken),
  permission: 'manageOwnAccount',
  run: ({ caller, services }, given) =>
    services.client.call(Account.unsubscribeFromPush.to(caller.accountId, given), flowOf(caller)),
});

function checkedSubscription({ options }: Services, subscription: NewPushSubscription): NewPushSubscription {
  const { endpoint, p256dh, auth } = subscription;
  if (!isAddress(endpoint, options.federationAllowHttp)) throw validationFailure('Endpoint is not a valid URL');
  return { ...subscription, p256dh: publicKeyOf(p256dh), auth: secretOf(auth) };
}

function isAddress(endpoint: string, allowsHttp: boolean): boolean {
  const address = endpoint.length > endpointCharactersMax ? null : URL.parse(endpoint);
  if (address === null || address.username !== '' || address.password !== '') return false;
  return address.protocol === 'https:' || (address.protocol === 'http:' && allowsHttp);
}

/** An uncompressed point of the curve P-256, as base64url. */
function publicKeyOf(text: string): string {
  const point = base64.test(text) ? Buffer.from(text, 'base64url') : undefined;
  if (point?.length !== 65 || !isOnCurve(point)) throw validationFailure('Key p256dh is invalid');
  return point.toString('base64url');
}

function isOnCurve(point: Buffer): boolean {
  try {
    return ECDH.convertKey(point, pushCurve).length > 0;
  } catch (error) {
    if (error instanceof Error) return false;
    throw error;
  }
}

function secretOf(text: string): string {
  const secret = base64.test(text) ? Buffer.from(text, 'base64url') : undefined;
  if (secret?.length !== pushAuthBytes) throw validationFailure('Key auth is invalid');
  return secret.toString('base64url');
}
