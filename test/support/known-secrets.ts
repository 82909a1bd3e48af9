/**
 * Secrets of servers over memory, made before their first request: an RSA key takes longer to make than most tests take,
 * so that the servers of a process share theirs.
 */
import { createECDH, generateKeyPairSync } from 'node:crypto';
import { Instance, type InstanceSecrets, instanceKey } from '../../src/actors/instance/instance.messages.ts';
import { drawSecret } from '../../src/services/secrets.ts';
import type { TestServer } from './actors.ts';

const keys = makeKeys();

export function adoptSecrets(server: TestServer, given?: InstanceSecrets): void {
  server.callNow(Instance.adoptSecrets.to(instanceKey, given ?? { ...keys, formSecret: drawSecret() }));
}

function makeKeys(): Omit<InstanceSecrets, 'formSecret'> {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2_048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const vapid = createECDH('prime256v1');
  return {
    keyPair: { publicKeyPem: publicKey, privateKeyPem: privateKey, createdAt: 0 },
    vapidPublicKey: vapid.generateKeys('base64url'),
    vapidPrivateKey: vapid.getPrivateKey('base64url'),
  };
}
