/** Takes a list over from a file: begins that, and ends it early. */
import { z } from 'zod';
import { Account } from '../../actors/account/account.messages.ts';
import { identifier } from '../../actors/account/account.records.ts';
import { ImportedList } from '../../actors/account/imports/imports.records.ts';
import { importLimits } from '../../actors/account/imports/limits.ts';
import { readImportedList } from '../../actors/policy/imported-lists.ts';
import { validationFailure } from '../../runtime/errors.ts';
import type { Id } from '../../runtime/ids.ts';
import { flowOf } from '../caller.ts';
import { operation } from '../operation.ts';

export const beginImport = operation({
  input: z.object({ list: ImportedList, overwrites: z.boolean(), content: z.string().max(importLimits.fileBytesMax) }),
  permission: 'manageOwnAccount',
  limit: 'imports',
  /** Throws Failure validation for a file with nothing in it or too much, and conflict while another import runs. */
  async run({ caller, services }, { list, overwrites, content }): Promise<{ importId: Id }> {
    const rows = readImportedList(list, content);
    const { rowsMax } = importLimits;
    if (rows === undefined)
      throw validationFailure(`There are more than ${rowsMax} rows`, { reason: 'tooManyRows', limit: rowsMax });
    // A file of another kind must not empty a list.
    if (!rows.some(({ result }) => result === undefined))
      throw validationFailure('There is no row that can be read', { reason: 'noRows' });
    return services.client.call(Account.beginImport.to(caller.accountId, { list, overwrites, rows }), flowOf(caller));
  },
});

export const cancelImport = operation({
  input: z.object({ importId: identifier }),
  permission: 'manageOwnAccount',
  /** Throws Failure notFound, and conflict for one that has ended. */
  async run({ caller, services }, { importId }): Promise<void> {
    await services.client.call(Account.cancelImport.to(caller.accountId, { importId }), flowOf(caller));
  },
});
