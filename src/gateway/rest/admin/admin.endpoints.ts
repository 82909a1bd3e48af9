/** The endpoints of staff. */
import { adminAccountListEndpoints } from './account-lists.ts';
import { adminAccountEndpoints } from './accounts.ts';
import { adminAppealEndpoints } from './appeals.ts';
import { adminDomainAllowEndpoints } from './domain-allows.ts';
import { adminDomainBlockEndpoints } from './domain-blocks.ts';
import { adminEmailBlockEndpoints } from './email-blocks.ts';
import { adminIpBlockEndpoints } from './ip-blocks.ts';
import { adminRelayEndpoints } from './relays.ts';
import { adminReportEndpoints } from './reports.ts';
import { adminTrendEndpoints } from './trends.ts';

export const adminEndpoints = [
  ...adminAccountEndpoints,
  ...adminAppealEndpoints,
  ...adminAccountListEndpoints,
  ...adminDomainAllowEndpoints,
  ...adminDomainBlockEndpoints,
  ...adminEmailBlockEndpoints,
  ...adminIpBlockEndpoints,
  ...adminRelayEndpoints,
  ...adminReportEndpoints,
  ...adminTrendEndpoints,
];
