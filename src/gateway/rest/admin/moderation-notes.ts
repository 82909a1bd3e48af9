/** Notes of moderators, and what is known of both sides of a report, our own: Mastodon has them on its pages only. */
import { z } from 'zod';
import { accountNotes, reportNotes, serverNotes } from '../../../operations/administration/moderation-notes.ts';
import { showReportHistory } from '../../../operations/reports/report-history.ts';
import { AdminNoteEntity, adminNoteEntity } from '../../entities/admin/moderation-notes.ts';
import { AdminReportHistoryEntity, adminReportHistoryEntity } from '../../entities/admin/report-history.ts';
import { EmptyEntity } from '../../entities/values.ts';
import type { GatewayServices } from '../../gateway-services.ts';
import { empty, json } from '../../http/answers.ts';
import { id, required, text } from '../../http/parameter-types.ts';
import type { Endpoint } from '../../route.ts';
import { staffEndpoint } from './staff-endpoint.ts';

const base = '/api/murmuration/v1/admin';

const kinds = [
  { notes: accountNotes, of: 'accounts/:id', named: { id }, scope: ':accounts', what: 'an account' },
  { notes: reportNotes, of: 'reports/:id', named: { id }, scope: ':reports', what: 'a report' },
  { notes: serverNotes, of: 'instances/:id', named: { id: required(text) }, scope: '', what: 'another server' },
] as const;

function endpointsOf({ notes, of, named, scope, what }: (typeof kinds)[number]): Endpoint<GatewayServices>[] {
  const path = `${base}/${of}/notes`;
  return [
    staffEndpoint(notes.list, {
      scopes: [`admin:read${scope}`],
      method: 'GET',
      path,
      parameters: z.object(named),
      summary: `Lists the notes of moderators about ${what}, oldest first.`,
      answer: z.array(AdminNoteEntity),
      handler: (context, { id: about }) =>
        json(notes.list(context, { about }).map((note) => adminNoteEntity(note, context.services))),
    }),
    staffEndpoint(notes.add, {
      scopes: [`admin:write${scope}`],
      method: 'POST',
      path,
      parameters: z.object({ ...named, content: text }),
      summary: `Writes a note about ${what}, which only moderators see.`,
      answer: AdminNoteEntity,
      handler: async (context, { id: about, content = '' }) =>
        json(adminNoteEntity(await notes.add(context, { about, text: content }), context.services)),
    }),
    staffEndpoint(notes.remove, {
      scopes: [`admin:write${scope}`],
      method: 'DELETE',
      path: `${path}/:note_id`,
      parameters: z.object({ ...named, note_id: id }),
      summary: `Removes a note about ${what}: one's own, or that of somebody with a lower role.`,
      answer: EmptyEntity,
      async handler(context, { id: about, note_id: noteId }) {
        await notes.remove(context, { about, noteId });
        return empty();
      },
    }),
  ];
}

const history = staffEndpoint(showReportHistory, {
  scopes: ['admin:read:reports'],
  method: 'GET',
  path: `${base}/reports/:id/history`,
  parameters: z.object({ id }),
  summary: 'Shows what was decided about the reported account, and what became of other reports of both sides.',
  answer: AdminReportHistoryEntity,
  handler: (context, { id: reportId }) =>
    json(adminReportHistoryEntity(showReportHistory(context, { reportId }), context.services)),
});

export const adminModerationNoteEndpoints = [...kinds.flatMap(endpointsOf), history];
