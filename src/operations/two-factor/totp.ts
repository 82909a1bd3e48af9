/** Codes of authenticator apps (RFC 6238): SHA-1, six digits, thirty seconds, as all apps have them. */
import type { Id } from '../../runtime/ids.ts';
import { secretsOf } from '../../services/instance-secrets.ts';
import { keyFor, seal, unseal } from '../../services/sealing.ts';
import type { Services } from '../../services/services.ts';

/** Loaded with the first code: most threads see none. */
const otpauth = () => import('otpauth');

const periodSeconds = 30;
const shape = { algorithm: 'SHA1', digits: 6, period: periodSeconds } as const;
/** 160 bits, as long as the digest (RFC 4226, section 4). */
const secretBytes = 20;
/** Clocks differ, and people type: the code before and the one after hold too. */
const window = 1;

export interface NewTotp {
  /** For the form that confirms it: nothing is stored before. */
  readonly sealed: string;
  /** In base32, for whoever types it. */
  readonly secret: string;
  /** For a QR code (otpauth://). */
  readonly uri: string;
}

/** A new secret; an earlier, sealed one is shown again. */
export async function offerTotp(
  services: Services,
  accountId: Id,
  username: string,
  earlier: string | undefined,
): Promise<NewTotp> {
  const { Secret, TOTP } = await otpauth();
  const known = earlier === undefined ? undefined : await secretOf(services, accountId, earlier);
  const secret = known === undefined ? new Secret({ size: secretBytes }) : Secret.fromBase32(known);
  const { domain } = services.addresses;
  const uri = new TOTP({ ...shape, secret, issuer: domain, label: `${username}@${domain}` }).toString();
  return { sealed: earlier ?? (await sealSecret(services, accountId, secret.base32)), secret: secret.base32, uri };
}

/** The period of the code, counted since 1970. Undefined for a wrong code, and for a secret of another account. */
export async function stepOfCode(
  services: Services,
  accountId: Id,
  sealed: string,
  code: string,
): Promise<number | undefined> {
  const secret = await secretOf(services, accountId, sealed);
  if (secret === undefined) return undefined;
  const { Secret, TOTP } = await otpauth();
  const timestamp = services.now();
  const apart = new TOTP({ ...shape, secret: Secret.fromBase32(secret) }).validate({ token: code, timestamp, window });
  return apart === null ? undefined : Math.floor(timestamp / (periodSeconds * 1_000)) + apart;
}

const purpose = 'secrets of authenticator apps';
const boundTo = (accountId: Id) => `account ${accountId}`;

async function sealSecret(services: Services, accountId: Id, secret: string): Promise<string> {
  return seal(keyFor(purpose, await secretsOf(services)), boundTo(accountId), secret);
}

async function secretOf(services: Services, accountId: Id, sealed: string): Promise<string | undefined> {
  return unseal(keyFor(purpose, await secretsOf(services)), boundTo(accountId), sealed);
}
