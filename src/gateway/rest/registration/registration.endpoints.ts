/** The endpoints of signing up. */
import { postAccounts } from './post-accounts.ts';

export const registrationEndpoints = [postAccounts];
