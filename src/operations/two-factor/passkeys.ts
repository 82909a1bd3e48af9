/**
 * Passkeys (WebAuthn, level 3): what browsers are asked to make and to sign, and whether what they answer is right. They
 * belong to the host of these pages. Attestations are not asked for: which makes of keys people have is theirs to choose.
 */
import { isIP } from 'node:net';
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import { z } from 'zod';
import { twoFactorLimits } from '../../actors/account/two-factor/limits.ts';
import { type ListedPasskey, passkeysOf } from '../../actors/account/two-factor/two-factor.queries.ts';
import type { NewPasskey, UsedCode } from '../../actors/account/two-factor/two-factor.records.ts';
import { digestOfSecret } from '../../actors/session/session.messages.ts';
import { type Id, parseId } from '../../runtime/ids.ts';
import type { Addresses } from '../../services/addresses.ts';
import { secretsOf } from '../../services/instance-secrets.ts';
import {
  type ChallengeBinding,
  challengeKey,
  challengeMilliseconds,
  drawChallenge,
  endOfChallenge,
} from '../../services/passkey-challenges.ts';
import type { Services } from '../../services/services.ts';

/** Loaded with the first passkey: it is large, and most threads see none. */
const webauthn = () => import('@simplewebauthn/server');

/** The relying party: the host of these pages. */
function partyOf({ origin }: Pick<Addresses, 'origin'>): string {
  return new URL(origin).hostname;
}

/** Browsers make no passkeys for IP addresses. */
export function canHavePasskeys({ origin }: Pick<Addresses, 'origin'>): boolean {
  return isIP(partyOf({ origin }).replaceAll(/[[\]]/g, '')) === 0;
}

/** What a browser shall make. It asks for its PIN, finger or face, so that the passkey alone can sign in. */
export async function offerPasskey(
  services: Services,
  account: { readonly id: Id; readonly username: string; readonly displayName: string },
  browser: string,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { generateRegistrationOptions } = await webauthn();
  const { addresses, snapshots } = services;
  const binding = { purpose: 'new passkey', browser, accountId: account.id } as const;
  return generateRegistrationOptions({
    rpName: addresses.domain,
    rpID: partyOf(addresses),
    userName: `${account.username}@${addresses.domain}`,
    userDisplayName: account.displayName === '' ? account.username : account.displayName,
    userID: new Uint8Array(Buffer.from(String(account.id))),
    challenge: new Uint8Array(await challengeFor(services, binding)),
    attestationType: 'none',
    excludeCredentials: passkeysOf(snapshots, account.id).map(descriptorOf),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
}

/** What a browser shall sign. Without an account any passkey of this server will do, which says whose it is. */
export async function askForPasskey(
  services: Services,
  binding: ChallengeBinding,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { addresses, snapshots } = services;
  const { accountId } = binding;
  return {
    challenge: (await challengeFor(services, binding)).toString('base64url'),
    rpId: partyOf(addresses),
    timeout: challengeMilliseconds,
    userVerification: 'required',
    allowCredentials: accountId === undefined ? [] : passkeysOf(snapshots, accountId).map(descriptorOf),
  };
}

async function challengeFor(services: Services, binding: ChallengeBinding): Promise<Buffer> {
  return drawChallenge(challengeKey(await secretsOf(services)), binding, services.now());
}

function descriptorOf({ passkey }: ListedPasskey) {
  const type = 'public-key' as const;
  return { type, id: passkey.credentialId, transports: [...passkey.transports] };
}

const text = z.string().max(twoFactorLimits.passkeyAnswerCharactersMax);

/** Only what is read of the answer of a browser; the library checks the rest. */
const Answer = z.object({
  id: text,
  rawId: text,
  type: z.literal('public-key'),
  clientExtensionResults: z.object({}).default({}),
  authenticatorAttachment: z.enum(['cross-platform', 'platform']).optional().catch(undefined),
});

const Made = Answer.extend({
  response: z.object({
    clientDataJSON: text,
    attestationObject: text,
    transports: z
      .array(z.string().max(twoFactorLimits.transportCharactersMax))
      .max(twoFactorLimits.transportsMax)
      .catch([]),
  }),
});

const Signed = Answer.extend({
  response: z.object({
    clientDataJSON: text,
    authenticatorData: text,
    signature: text,
    userHandle: text.optional(),
  }),
});

/** Undefined for an answer that is not right in any way. */
export async function readNewPasskey(
  services: Services,
  binding: ChallengeBinding,
  given: string,
): Promise<Omit<NewPasskey, 'name'> | undefined> {
  const made = parsed(Made, given);
  if (made === undefined) return undefined;
  const { verifyRegistrationResponse } = await webauthn();
  const { addresses } = services;
  const key = challengeKey(await secretsOf(services));
  const isOurs = (challenge: string) => endOfChallenge(key, binding, challenge, services.now()) !== undefined;
  const verified = await unlessWrong(
    verifyRegistrationResponse({
      response: made as RegistrationResponseJSON,
      expectedChallenge: isOurs,
      expectedOrigin: addresses.origin,
      expectedRPID: partyOf(addresses),
      requireUserVerification: true,
    }),
  );
  if (verified?.verified !== true) return undefined;
  const { credential, credentialBackedUp } = verified.registrationInfo;
  return {
    credentialId: credential.id,
    publicKey: Buffer.from(credential.publicKey).toString('base64url'),
    counter: credential.counter,
    transports: made.response.transports,
    isBackedUp: credentialBackedUp,
  };
}

interface ProvedPasskey {
  readonly accountId: Id;
  /** For the message that uses the challenge up. */
  readonly code: UsedCode;
}

/** Undefined for an answer that is not right in any way, or of a passkey of another account than that of the challenge. */
export async function readProof(
  services: Services,
  binding: ChallengeBinding,
  given: string,
): Promise<ProvedPasskey | undefined> {
  const signed = parsed(Signed, given);
  if (signed === undefined) return undefined;
  const { userHandle } = signed.response;
  const named = userHandle === undefined ? undefined : parseId(Buffer.from(userHandle, 'base64url').toString('latin1'));
  const accountId = binding.accountId ?? named;
  if (accountId === undefined || (named !== undefined && named !== accountId)) return undefined;
  const listed = passkeysOf(services.snapshots, accountId).find(({ passkey }) => passkey.credentialId === signed.id);
  if (listed === undefined) return undefined;
  const { passkey, id: passkeyId } = listed;
  const { verifyAuthenticationResponse } = await webauthn();
  const { addresses } = services;
  const key = challengeKey(await secretsOf(services));
  const used: { challenge?: string; end?: number } = {};
  const verified = await unlessWrong(
    verifyAuthenticationResponse({
      response: signed as AuthenticationResponseJSON,
      expectedChallenge(challenge) {
        const end = endOfChallenge(key, binding, challenge, services.now());
        Object.assign(used, { challenge, end });
        return end !== undefined;
      },
      expectedOrigin: addresses.origin,
      expectedRPID: partyOf(addresses),
      requireUserVerification: true,
      credential: {
        id: passkey.credentialId,
        publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64url')),
        counter: passkey.counter,
      },
    }),
  );
  const { challenge, end } = used;
  if (verified?.verified !== true || challenge === undefined || end === undefined) return undefined;
  const { newCounter: counter, credentialBackedUp: isBackedUp } = verified.authenticationInfo;
  return {
    accountId,
    code: { kind: 'passkey', passkeyId, counter, isBackedUp, challenge: digestOfSecret(challenge), end },
  };
}

function parsed<Shape extends z.ZodType>(shape: Shape, given: string): z.output<Shape> | undefined {
  const json = z
    .string()
    .max(twoFactorLimits.passkeyAnswerCharactersMax)
    .transform((value, context) => {
      try {
        return JSON.parse(value) as unknown;
      } catch (error) {
        if (!(error instanceof SyntaxError)) throw error;
        context.addIssue({ code: 'custom', message: 'is not JSON' });
        return z.NEVER;
      }
    })
    .pipe(shape);
  return json.safeParse(given).data as z.output<Shape> | undefined;
}

/** The library throws an Error for everything that is wrong with an answer, whatever it is. */
async function unlessWrong<Verified>(verifying: Promise<Verified>): Promise<Verified | undefined> {
  try {
    return await verifying;
  } catch (error) {
    if (error instanceof Error) return undefined;
    throw error;
  }
}
