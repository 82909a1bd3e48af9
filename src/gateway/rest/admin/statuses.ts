/** What staff do about statuses that nobody has reported, our own: Mastodon has it on its pages only. */
import { z } from 'zod';
import { reportLimits } from '../../../actors/account/reports/limits.ts';
import { deleteStatuses, markStatusesSensitive } from '../../../operations/reports/act-on-statuses.ts';
import { EmptyEntity } from '../../entities/values.ts';
import { empty } from '../../http/answers.ts';
import { boolean, choice, chosenId, distinctIds, idList, required, text } from '../../http/parameter-types.ts';
import { staffEndpoint } from './staff-endpoint.ts';

const acts = { delete_statuses: deleteStatuses, mark_statuses_as_sensitive: markStatusesSensitive } as const;
const actTypes = ['delete_statuses', 'mark_statuses_as_sensitive'] as const satisfies (keyof typeof acts)[];

const act = staffEndpoint(deleteStatuses, {
  method: 'POST',
  path: '/api/murmuration/v1/admin/statuses/action',
  scopes: ['admin:write:accounts'],
  parameters: z.object({
    /** Of one account, and for everybody here. */
    status_ids: required(idList),
    type: required(choice(actTypes)),
    text,
    send_email_notification: boolean,
    warning_preset_id: chosenId,
  }),
  summary: 'Deletes posts of an account, or marks them as sensitive, with a strike that it sees.',
  answer: EmptyEntity,
  async handler(context, { status_ids: ids, type, text: said, send_email_notification: tells, ...given }) {
    const statusIds = distinctIds(ids, reportLimits.statusesMax);
    await acts[type](context, { statusIds, text: said, tells, presetId: given.warning_preset_id });
    return empty();
  },
});

export const adminStatusEndpoints = [act];
