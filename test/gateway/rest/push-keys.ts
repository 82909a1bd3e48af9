/** A web push subscription as browsers make them. */
import { createECDH } from 'node:crypto';

const receiver = createECDH('prime256v1');
receiver.generateKeys();

export const subscription = {
  endpoint: 'https://push.example/send/1',
  keys: { p256dh: receiver.getPublicKey('base64url'), auth: Buffer.alloc(16, 7).toString('base64url') },
  standard: true,
};
