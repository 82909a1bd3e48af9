/** What was lost with a decision of staff, as files, our own: Mastodon has them on its pages only. */
import { z } from 'zod';
import { exportSevered, severedLists } from '../../../operations/leaving/severed-lists.ts';
import { bytes } from '../../http/answers.ts';
import { id } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';

export const severedEndpoints = severedLists.map((list) =>
  endpoint({
    method: 'GET',
    path: `/api/murmuration/v1/severed_relationships/:id/${list}`,
    authentication: 'user',
    scopes: ['read:follows'],
    parameters: z.object({ id }),
    summary: `The ${list} that an account has lost at once, as comma-separated values, in the form of Mastodon.`,
    answer: z.never(),
    handler(context, { id: severanceId }) {
      const { csv, filename } = exportSevered(context, { severanceId, list });
      return bytes(csv, {
        contentType: 'text/csv; charset=utf-8',
        headers: { 'Cache-Control': 'private, no-store', 'Content-Disposition': `attachment; filename="${filename}"` },
      });
    },
  }),
);
