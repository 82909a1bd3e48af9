/** The passkeys of the caller: added, named, and removed. */
import { z } from 'zod';
import { Account } from '../../actors/account/account.messages.ts';
import { identifier } from '../../actors/account/account.records.ts';
import { twoFactorLimits } from '../../actors/account/two-factor/limits.ts';
import { Failure } from '../../runtime/errors.ts';
import { flowOf } from '../caller.ts';
import { operation } from '../operation.ts';
import { blank, refuseFields, tooLong } from '../refused-fields.ts';
import { usedBefore } from './codes.ts';
import { demandOwner, OwnerProof } from './owner-proof.ts';
import { readNewPasskey } from './passkeys.ts';
import { drawRecoveryCodes } from './recovery-codes.ts';

const { passkeyNameCharactersMax } = twoFactorLimits;

function checkedName(name: string): string {
  const trimmed = name.trim();
  const isTooLong = trimmed.length > passkeyNameCharactersMax;
  refuseFields({ name: trimmed === '' ? [blank] : isTooLong ? [tooLong(passkeyNameCharactersMax)] : [] });
  return trimmed;
}

export const addPasskey = operation({
  input: OwnerProof.extend({ name: z.string(), made: z.string() }),
  permission: 'manageOwnAccount',
  limit: 'signIn',
  /**
   * Recovery codes come with what first makes a second step. Throws Failure credentialsInvalid, codeInvalid, passkeyRefused,
   * validation (tooManyPasskeys), and FieldsRefused.
   */
  async run(context, { name, made, ...proof }): Promise<{ recoveryCodes: readonly string[] | undefined }> {
    const { caller, services } = context;
    const { accountId } = caller;
    const chosen = checkedName(name);
    const code = await demandOwner(context, proof);
    const binding = { purpose: 'new passkey', browser: proof.browser, accountId } as const;
    const passkey = await readNewPasskey(services, binding, made);
    if (passkey === undefined) throw new Failure('passkeyRefused');
    const { codes, digests } = drawRecoveryCodes(accountId);
    const message = { code, passkey: { ...passkey, name: chosen }, recoveryCodes: digests };
    const { isFirst } = await services.client
      .call(Account.addPasskey.to(accountId, message), flowOf(caller))
      .catch(usedBefore);
    return { recoveryCodes: isFirst ? codes : undefined };
  },
});

export const renamePasskey = operation({
  input: z.object({ passkeyId: identifier, name: z.string() }),
  permission: 'manageOwnAccount',
  /** Throws Failure notFound for any but the caller's, and FieldsRefused. */
  async run({ caller, services }, { passkeyId, name }): Promise<void> {
    const message = { passkeyId, name: checkedName(name) };
    await services.client.call(Account.renamePasskey.to(caller.accountId, message), flowOf(caller));
  },
});

export const removePasskey = operation({
  input: OwnerProof.extend({ passkeyId: identifier }),
  permission: 'manageOwnAccount',
  limit: 'signIn',
  /** Throws Failure notFound for any but the caller's, credentialsInvalid and codeInvalid. */
  async run(context, { passkeyId, ...proof }): Promise<void> {
    const { caller, services } = context;
    const code = await demandOwner(context, proof);
    await services.client
      .call(Account.removePasskey.to(caller.accountId, { passkeyId, code }), flowOf(caller))
      .catch(usedBefore);
  },
});
