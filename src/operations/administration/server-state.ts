/** Usage numbers, and what needs the operator's attention. */
import { z } from 'zod';
import { usageOf } from '../../actors/instance/instance.queries.ts';
import { dayOf } from '../../actors/session/session.messages.ts';
import { letterCounts } from '../../runtime/letters.ts';
import { reads } from '../audit.ts';
import { settingsOf } from '../instance/settings.ts';
import { operation } from '../operation.ts';

export const serverState = operation({
  input: z.looseObject({}),
  permission: 'viewDashboard',
  audit: reads,
  run({ services }) {
    const { partitions } = services.snapshots;
    const { kept: deadLetters, archived: archivedDeadLetters } = letterCounts(partitions);
    return {
      origin: services.addresses.origin,
      registrations: settingsOf(services).registrations,
      usage: usageOf(partitions, dayOf(services.now())),
      partitions: partitions.length,
      deadLetters,
      archivedDeadLetters,
    };
  },
});
