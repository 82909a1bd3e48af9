/** E-mail addresses with which nobody signs up, in whatever spelling; only digests of them are kept. */
import { z } from 'zod';
import { canonicalEmailList, findAccessBlock } from '../../actors/instance/access/access.queries.ts';
import type { CanonicalEmailBlock } from '../../actors/instance/access/access.records.ts';
import { Instance, instanceKey } from '../../actors/instance/instance.messages.ts';
import { canonicalHash } from '../../actors/policy/access.ts';
import { validationFailure } from '../../runtime/errors.ts';
import { reads } from '../audit.ts';
import { flowOf } from '../caller.ts';
import { operation } from '../operation.ts';
import { listing, namedBlock, newBlock, showing } from './access-lists.ts';

/** An address, or its digest, as another server exports it. */
const subject = z.object({ email: z.string().optional(), hash: z.string().optional() });

export const blockCanonicalEmail = operation({
  input: subject,
  permission: 'manageBlocks',
  audit: 'blockCanonicalEmail',
  async run({ caller, services, audit }, given): Promise<CanonicalEmailBlock> {
    const message = Instance.blockCanonicalEmail.to(instanceKey, { hash: hashOf(given), audit });
    return newBlock(await services.client.call(message, flowOf(caller)), 'Canonical email hash');
  },
});

export const unblockCanonicalEmail = operation({
  input: subject.extend({ id: z.bigint().optional() }),
  permission: 'manageBlocks',
  audit: 'unblockCanonicalEmail',
  async run({ caller, services, audit }, { id, ...given }): Promise<CanonicalEmailBlock> {
    const block = namedBlock(services.snapshots, canonicalEmailList, id ?? hashOf(given));
    const message = Instance.unblockCanonicalEmail.to(instanceKey, { blockId: block.id, audit });
    await services.client.call(message, flowOf(caller));
    return block;
  },
});

export const showCanonicalEmailBlock = showing(canonicalEmailList);
export const listCanonicalEmailBlocks = listing(canonicalEmailList);

/** The block that an address meets, if any. */
export const testCanonicalEmail = operation({
  input: z.object({ email: z.string() }),
  permission: 'manageBlocks',
  audit: reads,
  run({ services }, { email }): CanonicalEmailBlock[] {
    const hash = canonicalHash(email);
    const block = hash === undefined ? undefined : findAccessBlock(services.snapshots, canonicalEmailList, hash);
    return block === undefined ? [] : [block];
  },
});

function hashOf({ email, hash }: z.output<typeof subject>): string {
  const digest = email === undefined || email.trim() === '' ? hash?.trim().toLowerCase() : canonicalHash(email);
  if (digest === undefined || digest === '') throw validationFailure("Canonical email hash can't be blank");
  if (!/^[0-9a-f]{64}$/.test(digest)) throw validationFailure('Canonical email hash is invalid');
  return digest;
}
