/** Key pairs of the servers that are played. RSA-2048 takes some 50 ms each, so that many servers may share a few. */
import { generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';

const generate = promisify(generateKeyPair);

export type KeyType = 'rsa' | 'ed25519';

export interface ServerKey {
  readonly privateKey: KeyObject;
  /** SPKI, as actors show it. */
  readonly publicKeyPem: string;
}

export function createKeys(type: KeyType, count: number): Promise<ServerKey[]> {
  return Promise.all(
    Array.from({ length: count }, async () => {
      const { privateKey, publicKey } =
        type === 'rsa' ? await generate('rsa', { modulusLength: 2048 }) : await generate('ed25519');
      return { privateKey, publicKeyPem: publicKey.export({ type: 'spki', format: 'pem' }) as string };
    }),
  );
}
