/** Notifications of accepted senders were unfiltered. Event numbers: 1 to 39 are of accounts. */
import { z } from 'zod';
import { eventType } from '../../../runtime/events/event.ts';
import { identifier } from '../account.records.ts';

export const notificationsMerged = eventType(28, 'notifications merged', z.object({ accountId: identifier }));
