/** The key that signs the addresses of files of other servers. */
import { createHmac } from 'node:crypto';
import type { InstanceSecrets } from '../../actors/instance/instance.messages.ts';
import { secretsOf } from '../instance-secrets.ts';
import type { Services } from '../services.ts';

/**
 * Undefined for a moment after the first start, until the secrets of the server are stored. What other servers have is
 * requested with them, so nothing of theirs is shown before. A key of its own tells nothing about the other uses of the
 * secret.
 */
export function proxyKeyOf(
  services: Pick<Services, 'client' | 'snapshots' | 'now' | 'members'>,
): () => string | undefined {
  let key: string | undefined;
  let waiting: Promise<InstanceSecrets> | undefined;
  const derive = ({ formSecret }: InstanceSecrets): string => {
    key = createHmac('sha256', formSecret).update('addresses of remote media').digest('base64url');
    return key;
  };
  return () => {
    if (key !== undefined || waiting !== undefined) return key;
    const secrets = secretsOf(services);
    if (!(secrets instanceof Promise)) return derive(secrets);
    waiting = secrets;
    // A failed attempt is repeated with the next address.
    const again = () => {
      waiting = undefined;
    };
    secrets.then(derive, again);
    return undefined;
  };
}
