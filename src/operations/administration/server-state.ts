/** Usage numbers, and what needs the operator's attention. */
import { z } from 'zod';
import { usageOf } from '../../actors/instance/instance.queries.ts';
import { dayOf } from '../../actors/session/session.messages.ts';
import { letterCounts } from '../../runtime/letters.ts';
import { settingsOf } from '../instance/settings.ts';
import { operation } from '../operation.ts';
import { countDeadLetters } from './dead-letters.ts';

export const serverState = operation({
  input: z.looseObject({}),
  permission: 'viewDashboard',
  run: ({ services }) => ({
    origin: services.addresses.origin,
    registrations: settingsOf(services).registrations,
    usage: usageOf(services.snapshots.partitions, dayOf(services.now())),
    partitions: services.snapshots.partitions.length,
    deadLetters: countDeadLetters(services),
    archivedDeadLetters: letterCounts(services.snapshots.partitions).archived,
  }),
});
