/**
 * What the server keeps to itself: made by whichever thread needs it first, kept by the instance actor, where the first
 * offer wins. Gateway and network threads call this at start or when they need it.
 */
import { generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import { Instance, type InstanceSecrets, instanceKey } from '../actors/instance/instance.messages.ts';
import { instanceSecrets } from '../actors/instance/instance.queries.ts';
import { drawSecret } from './secrets.ts';
import type { Services } from './services.ts';

const generate = promisify(generateKeyPair);

/** 2048 bits, because other servers read nothing else. */
const rsaModulusBits = 2048;

type SecretServices = Pick<Services, 'client' | 'snapshots' | 'now'>;

/** They never change once they are there, so that each thread reads them once. */
const known = new WeakMap<SecretServices['snapshots'], InstanceSecrets>();

/** A value once they exist, which is a moment after the first start. */
export function secretsOf(services: SecretServices): InstanceSecrets | Promise<InstanceSecrets> {
  const { snapshots } = services;
  const present = known.get(snapshots) ?? instanceSecrets(snapshots);
  if (present === undefined) return makeSecrets(services);
  known.set(snapshots, present);
  return present;
}

/** Does something with them, at once where they exist. */
export function withSecrets<Result>(
  services: SecretServices,
  use: (secrets: InstanceSecrets) => Result,
): Result | Promise<Result> {
  const secrets = secretsOf(services);
  return secrets instanceof Promise ? secrets.then(use) : use(secrets);
}

async function makeSecrets({ client, now }: SecretServices): Promise<InstanceSecrets> {
  const [rsa, vapid] = await Promise.all([
    generate('rsa', {
      modulusLength: rsaModulusBits,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    }),
    generate('ec', { namedCurve: 'prime256v1' }),
  ]);
  const { x = '', y = '', d = '' } = vapid.privateKey.export({ format: 'jwk' });
  const offered = {
    formSecret: drawSecret(),
    keyPair: { publicKeyPem: rsa.publicKey, privateKeyPem: rsa.privateKey, createdAt: now() },
    vapidPublicKey: uncompressedPoint(x, y),
    vapidPrivateKey: d,
  };
  return client.call(Instance.adoptSecrets.to(instanceKey, offered), 'system');
}

/** Both coordinates behind the mark 4 (SEC 1, section 2.3.3), in base64url. */
function uncompressedPoint(x: string, y: string): string {
  return Buffer.concat([Buffer.of(4), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]).toString('base64url');
}
