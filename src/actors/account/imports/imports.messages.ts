/** Lists that an account takes over from elsewhere. Message numbers 558, 559, 580, 581. */
import { z } from 'zod';
import { call, cast, Done } from '../../../runtime/contract.ts';
import { identifier } from '../account.records.ts';
import { ImportedList, ImportedRow, RowResult } from './imports.records.ts';

export const importMessages = {
  /** Throws conflict while another one runs. */
  beginImport: call(
    558,
    z.object({ list: ImportedList, overwrites: z.boolean(), rows: z.array(ImportedRow) }),
    z.object({ importId: identifier }),
  ),
  /** The answer of the effect. */
  importSliceDone: cast(
    559,
    z.object({
      importId: identifier,
      chunk: z.number(),
      results: z.array(RowResult),
      hasMore: z.boolean().optional(),
      isBarred: z.boolean().optional(),
    }),
  ),
  /** What was done stays. Throws notFound, and conflict for one that has ended. */
  cancelImport: call(580, z.object({ importId: identifier }), Done),
  /** It was kept long enough, or its account is gone: removed in slices. */
  importDue: cast(581, z.object({ importId: identifier })),
};
