/** A web push subscription as browsers make them, and a token to make it with. */
import { createECDH } from 'node:crypto';
import { Session, tokenKey } from '../../../src/actors/session/session.messages.ts';

const receiver = createECDH('prime256v1');
receiver.generateKeys();

export const subscription = {
  endpoint: 'https://push.example/send/1',
  keys: { p256dh: receiver.getPublicKey('base64url'), auth: Buffer.alloc(16, 7).toString('base64url') },
  standard: true,
};

export function pushToken(tokenId: string, accountId: bigint) {
  const rights = { clientId: 'app', applicationId: 1n, accountId, scopes: ['push'], dialect: 'mastodon' as const };
  return Session.issueToken.to(tokenKey(tokenId), rights);
}
