/** What the operations about lists of who may sign up or come have in common. */
import { z } from 'zod';
import {
  type AccessList,
  accessBlocksPage,
  accessBlockWithId,
  findAccessBlock,
} from '../../actors/instance/access/access.queries.ts';
import type { Page } from '../../actors/pages.ts';
import { Failure, validationFailure } from '../../runtime/errors.ts';
import type { Id } from '../../runtime/ids.ts';
import { reads } from '../audit.ts';
import { operation } from '../operation.ts';
import { pageInput } from './domain-blocks.ts';

interface Listed {
  readonly id: bigint;
  readonly createdAt: number;
}

/** Latest first. */
export function listing<Entry extends Listed>(list: AccessList<Entry>) {
  return operation({
    input: pageInput,
    permission: 'manageBlocks',
    audit: reads,
    run: ({ services }, bounds): Page<Entry> => accessBlocksPage(services.snapshots, list, bounds),
  });
}

/** Throws Failure notFound. */
export function showing<Entry extends Listed>(list: AccessList<Entry>) {
  return operation({
    input: z.object({ id: z.bigint() }),
    permission: 'manageBlocks',
    audit: reads,
    run({ services }, { id }): Entry {
      const found = accessBlockWithId(services.snapshots, list, id);
      if (found === undefined) throw new Failure('notFound');
      return found;
    },
  });
}

/** By its id, or what it is about in normal form. Throws Failure notFound. */
export function namedBlock<Entry extends Listed>(
  snapshots: Parameters<typeof findAccessBlock>[0],
  list: AccessList<Entry>,
  given: Id | string,
): Entry {
  const found =
    typeof given === 'bigint' ? accessBlockWithId(snapshots, list, given) : findAccessBlock(snapshots, list, given);
  if (found !== undefined) return found;
  throw typeof given === 'bigint'
    ? new Failure('notFound')
    : new Failure('notFound', { text: `There is no block of ${given}.` });
}

/** Throws Failure validation for what the list has already. */
export function newBlock<Entry>(added: Entry | undefined, field: string): Entry {
  if (added === undefined) throw validationFailure(`${field} has already been taken`);
  return added;
}
