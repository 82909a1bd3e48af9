/** The statuses on a profile. */
import { getAccountStatuses } from './get-account-statuses.ts';

export const accountStatusEndpoints = [getAccountStatuses];
