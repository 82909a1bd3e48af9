/** Ranges of IP addresses from which nobody signs up, nobody signs up without approval, or nobody comes at all. */
import { z } from 'zod';
import { accessBlockWithId, addressList } from '../../actors/instance/access/access.queries.ts';
import type { AddressBlock } from '../../actors/instance/access/access.records.ts';
import { Instance, instanceKey } from '../../actors/instance/instance.messages.ts';
import { instanceLimits } from '../../actors/instance/limits.ts';
import { addressSeverities } from '../../actors/policy/access.ts';
import { parseRange, rangeText } from '../../actors/policy/addresses.ts';
import { Failure, validationFailure } from '../../runtime/errors.ts';
import { flowOf } from '../caller.ts';
import { operation } from '../operation.ts';
import { listing, namedBlock, newBlock, showing } from './access-lists.ts';

const content = {
  comment: z.string().max(instanceLimits.addressCommentCharactersMax).optional(),
  /** 0: it never expires. */
  expiresInSeconds: z.int().min(0).max(instanceLimits.addressBlockSecondsMax).optional(),
};

export const blockAddress = operation({
  input: z.object({ range: z.string(), severity: z.enum(addressSeverities), ...content }),
  permission: 'manageBlocks',
  audit: 'blockAddress',
  async run(
    { caller, services, audit },
    { range, severity, comment = '', expiresInSeconds = 0 },
  ): Promise<AddressBlock> {
    const expiresAt = expiryOf(services.now(), expiresInSeconds);
    const block = { range: normalRange(range), severity, comment, ...(expiresAt !== undefined && { expiresAt }) };
    const message = Instance.blockAddress.to(instanceKey, { ...block, audit });
    return newBlock(await services.client.call(message, flowOf(caller)), 'Ip');
  },
});

/** What is not given stays. */
export const changeAddressBlock = operation({
  input: z.object({
    id: z.bigint(),
    range: z.string().optional(),
    severity: z.enum(addressSeverities).optional(),
    ...content,
  }),
  permission: 'manageBlocks',
  audit: 'changeAddressBlock',
  async run({ caller, services, audit }, { id: blockId, range, expiresInSeconds, ...given }): Promise<AddressBlock> {
    const before = accessBlockWithId(services.snapshots, addressList, blockId);
    if (before === undefined) throw new Failure('notFound');
    const expiresAt = expiresInSeconds === undefined ? before.expiresAt : expiryOf(services.now(), expiresInSeconds);
    const changed = {
      range: range === undefined ? before.range : normalRange(range),
      severity: given.severity ?? before.severity,
      comment: given.comment ?? before.comment,
      ...(expiresAt !== undefined && { expiresAt }),
    };
    const message = Instance.changeAddressBlock.to(instanceKey, { blockId, content: changed, audit });
    return newBlock(await services.client.call(message, flowOf(caller)), 'Ip');
  },
});

export const unblockAddress = operation({
  input: z.object({ range: z.union([z.string(), z.bigint()]) }),
  permission: 'manageBlocks',
  audit: 'unblockAddress',
  async run({ caller, services, audit }, { range }): Promise<AddressBlock> {
    const named = typeof range === 'string' ? normalRange(range) : range;
    const block = namedBlock(services.snapshots, addressList, named);
    await services.client.call(Instance.unblockAddress.to(instanceKey, { blockId: block.id, audit }), flowOf(caller));
    return block;
  },
});

export const showAddressBlock = showing(addressList);
export const listAddressBlocks = listing(addressList);

function normalRange(typed: string): string {
  if (typed.trim() === '') throw validationFailure("Ip can't be blank");
  const range = parseRange(typed.trim());
  if (range === undefined) throw validationFailure('Ip is invalid');
  return rangeText(range);
}

function expiryOf(now: number, seconds: number): number | undefined {
  return seconds === 0 ? undefined : now + seconds * 1_000;
}
