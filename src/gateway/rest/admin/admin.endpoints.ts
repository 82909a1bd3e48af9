/** The endpoints of staff. */
import { adminDomainAllowEndpoints } from './domain-allows.ts';
import { adminDomainBlockEndpoints } from './domain-blocks.ts';

export const adminEndpoints = [...adminDomainAllowEndpoints, ...adminDomainBlockEndpoints];
