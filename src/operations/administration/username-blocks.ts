/** Names with which nobody signs up, besides those that are reserved in any case. */
import { z } from 'zod';
import { usernameList } from '../../actors/instance/access/access.queries.ts';
import type { UsernameBlock } from '../../actors/instance/access/access.records.ts';
import { Instance, instanceKey } from '../../actors/instance/instance.messages.ts';
import { validationFailure } from '../../runtime/errors.ts';
import { flowOf } from '../caller.ts';
import { operation } from '../operation.ts';
import { registrationLimits } from '../registration/limits.ts';
import { usernamePattern } from '../registration/usernames.ts';
import { listing, namedBlock, newBlock, showing } from './access-lists.ts';

/** By default every name that contains it; names that look alike count as the same. */
export const blockUsername = operation({
  input: z.object({ username: z.string(), isExact: z.boolean().optional(), allowWithApproval: z.boolean().optional() }),
  permission: 'manageBlocks',
  audit: 'blockUsername',
  async run(
    { caller, services, audit },
    { username, isExact = false, allowWithApproval = false },
  ): Promise<UsernameBlock> {
    const block = { username: normalName(username), isExact, allowWithApproval };
    const message = Instance.blockUsername.to(instanceKey, { ...block, audit });
    return newBlock(await services.client.call(message, flowOf(caller)), 'Username');
  },
});

/** By the name, or the id of the block. */
export const unblockUsername = operation({
  input: z.object({ username: z.union([z.string(), z.bigint()]) }),
  permission: 'manageBlocks',
  audit: 'unblockUsername',
  async run({ caller, services, audit }, { username }): Promise<UsernameBlock> {
    const named = typeof username === 'string' ? normalName(username) : username;
    const block = namedBlock(services.snapshots, usernameList, named);
    await services.client.call(Instance.unblockUsername.to(instanceKey, { blockId: block.id, audit }), flowOf(caller));
    return block;
  },
});

export const showUsernameBlock = showing(usernameList);
export const listUsernameBlocks = listing(usernameList);

function normalName(typed: string): string {
  const name = typed.trim().toLowerCase();
  if (!usernamePattern.test(name) || name.length > registrationLimits.usernameCharactersMax)
    throw validationFailure('Username is invalid');
  return name;
}
