/** Reports (specification 4.10). Called on the reporting account. Message numbers 98, 99 and 380. */
import { z } from 'zod';
import { call, Done } from '../../../runtime/contract.ts';
import { audited } from '../../audit.records.ts';
import { Destination } from '../../intents.ts';
import { identifier } from '../account.records.ts';
import { Report, ReportChange } from './reports.records.ts';

export const NewReport = Report.pick({
  targetId: true,
  statusIds: true,
  ruleIds: true,
  category: true,
  comment: true,
  collectionIds: true,
}).extend({
  /** The server to which the report is forwarded, by the server's own actor. */
  forwardTo: Destination.optional(),
  /** The Flag that it arrived as: it counts once for each account that it reports. */
  activityUri: z.string().optional(),
  /** Who is notified of it. */
  staffIds: z.array(identifier).optional(),
  /** Other servers that it is forwarded to: those of accounts that the reported statuses answer. */
  alsoForwardTo: z.array(Destination).optional(),
});

export const reportMessages = {
  fileReport: call(98, NewReport, z.object({ reportId: identifier })),
  /** Does nothing for a report that is closed already. */
  resolveReport: call(
    99,
    z.object({
      reportId: identifier,
      resolvedById: identifier.optional(),
      ...audited,
      /** What was decided about the reported account. */
      strikeId: identifier.optional(),
    }),
    Done,
  ),
  changeReport: call(380, z.object({ reportId: identifier, change: ReportChange, ...audited }), Done),
};
