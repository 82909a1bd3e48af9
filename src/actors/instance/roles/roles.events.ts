/** The events of roles. Event numbers are append-only over all actors. */
import { z } from 'zod';
import { eventType, invalidation } from '../../../runtime/events/event.ts';
import { identifier } from '../../account/account.records.ts';
import { cacheables } from '../../cacheables.ts';

/** What a role may do, or how it looks, has changed, or it is gone: for everybody who has it. */
export const roleChanged = eventType(73, 'role changed', z.object({ roleId: identifier }), () => [
  invalidation(cacheables.roles, undefined),
]);

/** Everybody may do more or less than before. */
export const everybodyMayChanged = eventType(77, 'what everybody may do changed', z.object({}), () => [
  invalidation(cacheables.roles, undefined),
]);
