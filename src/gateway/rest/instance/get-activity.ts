/** GET /api/v1/instance/activity (specification 2.7 and 4.9), unless staff have switched it off. */
import { z } from 'zod';
import { activityOf } from '../../../actors/instance/instance.queries.ts';
import { dayOf } from '../../../actors/session/session.messages.ts';
import { settingsOf } from '../../../operations/instance/settings.ts';
import { Failure } from '../../../runtime/errors.ts';
import { WeekEntity } from '../../entities/instance-schema.ts';
import { json } from '../../http/answers.ts';
import { endpoint } from '../../route.ts';

const daySeconds = 24 * 60 * 60;

export const getActivity = endpoint({
  method: 'GET',
  path: '/api/v1/instance/activity',
  authentication: 'optional',
  summary: 'Lists the activity of this server per week, newest first.',
  answer: z.array(WeekEntity),
  handler({ services }) {
    if (!settingsOf(services).publishActivity) throw new Failure('notFound');
    const weeks = activityOf(services.snapshots.partitions, dayOf(services.now()));
    return json(
      weeks.map(({ firstDay, statuses, logins, registrations }) => ({
        week: String(firstDay * daySeconds),
        statuses: String(statuses),
        logins: String(logins),
        registrations: String(registrations),
      })),
    );
  },
});
