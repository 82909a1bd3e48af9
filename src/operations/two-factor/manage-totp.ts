/** Two-factor authentication by an authenticator app: set up, renewed and switched off by its owner. */
import { z } from 'zod';
import { Account } from '../../actors/account/account.messages.ts';
import { Failure } from '../../runtime/errors.ts';
import { flowOf } from '../caller.ts';
import { operation } from '../operation.ts';
import { usedBefore } from './codes.ts';
import { demandOwnCode, demandOwner, demandOwnPassword, OwnerProof } from './owner-proof.ts';
import { drawRecoveryCodes } from './recovery-codes.ts';
import { stepOfCode } from './totp.ts';

interface ShownOnce {
  readonly recoveryCodes: readonly string[];
}

export const enableTotp = operation({
  /** `sealed`: the offered secret. `appCode` shows that the app has it. */
  input: OwnerProof.extend({ sealed: z.string(), appCode: z.string() }),
  permission: 'manageOwnAccount',
  limit: 'signIn',
  /** Throws Failure credentialsInvalid, codeInvalid, and conflict where it is on already. */
  async run(context, { sealed, appCode, ...proof }): Promise<ShownOnce> {
    const { caller, services } = context;
    const { accountId } = caller;
    const code = await demandOwner(context, proof);
    const step = await stepOfCode(services, accountId, sealed, appCode.replaceAll(/\s/g, ''));
    if (step === undefined) throw new Failure('codeInvalid');
    const { codes, digests } = drawRecoveryCodes(accountId);
    const message = { sealed, step, recoveryCodes: digests, code };
    await services.client.call(Account.enableTotp.to(accountId, message), flowOf(caller)).catch(usedBefore);
    return { recoveryCodes: codes };
  },
});

export const renewRecoveryCodes = operation({
  input: OwnerProof,
  permission: 'manageOwnAccount',
  limit: 'signIn',
  /** Throws Failure credentialsInvalid and codeInvalid. */
  async run(context, proof): Promise<ShownOnce> {
    const { caller, services } = context;
    await demandOwnPassword(context, proof.password);
    const used = await demandOwnCode(context, proof);
    const { codes, digests } = drawRecoveryCodes(caller.accountId);
    const message = { code: used, recoveryCodes: digests };
    await services.client
      .call(Account.renewRecoveryCodes.to(caller.accountId, message), flowOf(caller))
      .catch(usedBefore);
    return { recoveryCodes: codes };
  },
});

export const disableOwnTwoFactor = operation({
  input: OwnerProof,
  permission: 'manageOwnAccount',
  limit: 'signIn',
  /** Throws Failure credentialsInvalid and codeInvalid. */
  async run(context, proof): Promise<void> {
    const { caller, services } = context;
    const code = await demandOwner(context, proof);
    await services.client
      .call(Account.disableTwoFactor.to(caller.accountId, { code }), flowOf(caller))
      .catch(usedBefore);
  },
});
