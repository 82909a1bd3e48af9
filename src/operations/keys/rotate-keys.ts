/** New key pairs: of an account, of all accounts, and of the server's own actor and its relay. */
import { z } from 'zod';
import { Account } from '../../actors/account/account.messages.ts';
import { Instance, instanceKey } from '../../actors/instance/instance.messages.ts';
import type { KeyRotation } from '../../actors/instance/keys/keys.records.ts';
import { generateRsaKeyPair } from '../../outbound/signatures/keys.ts';
import { validationFailure } from '../../runtime/errors.ts';
import type { Id } from '../../runtime/ids.ts';
import { secretsOf } from '../../services/instance-secrets.ts';
import { accountName, subordinate } from '../administration/local-account.ts';
import { type Audited, auditOf } from '../audit.ts';
import { flowOf } from '../caller.ts';
import { type OperationContext, operation } from '../operation.ts';

export const rotateKeys = operation({
  input: z.object({ account: accountName }),
  permission: 'manageUserAccess',
  audit: 'rotateKeys',
  on: subordinate,
  /** Throws Failure validation for an account that has never signed anything: it gets a key when it needs one. */
  run: (context, _given, account): Promise<void> => give(context, account),
});

async function give({ caller, services, audit }: OperationContext & Audited, { id }: { readonly id: Id }) {
  const pair = { ...(await generateRsaKeyPair()), createdAt: services.now() };
  const { isNew } = await services.client.call(Account.rotateKeys.to(id, { pair, audit }), flowOf(caller));
  if (!isNew) throw validationFailure('This account has no keys yet: it gets them when it needs them.');
}

/** Goes on in the background; asking again shows how far it is, until it has ended. */
export const rotateAllKeys = operation({
  input: z.object({}),
  permission: 'operateMachine',
  audit: 'rotateAllKeys',
  run({ caller, services, audit }): Promise<KeyRotation & { readonly isNew: boolean }> {
    return services.client.call(Instance.rotateAllKeys.to(instanceKey, { audit }), flowOf(caller));
  },
});

export const rotateServerKey = operation({
  input: z.object({}),
  permission: 'operateMachine',
  audit: 'rotateServerKey',
  async run({ caller, services, audit }): Promise<void> {
    await secretsOf(services);
    const keyPair = { ...(await generateRsaKeyPair()), createdAt: services.now() };
    await services.client.call(Instance.rotateKeyPair.to(instanceKey, { keyPair, audit }), flowOf(caller));
  },
});

/** For the command line, where one command does all three. */
export const rotateKeysOf = operation({
  input: z.discriminatedUnion('whose', [
    z.object({ whose: z.literal('account'), account: z.string() }),
    z.object({ whose: z.literal('all') }),
    z.object({ whose: z.literal('server') }),
  ]),
  permission: 'operateMachine',
  audit: { nothing: 'each of its decisions writes an entry of its own' },
  async run(context, given): Promise<(KeyRotation & { readonly isNew: boolean }) | undefined> {
    if (given.whose === 'all') return rotateAllKeys(context, {});
    if (given.whose === 'server') await rotateServerKey(context, {});
    if (given.whose === 'account')
      await give({ ...context, audit: auditOf('rotateKeys', context)! }, subordinate(context, given));
  },
});
