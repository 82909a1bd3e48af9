/** What the faces work with: the services of every thread, and what only a gateway thread keeps. */
import type { Services } from '../services/services.ts';
import type { StatusPages } from './rest/status-pages/status-pages.ts';

export interface GatewayServices extends Services {
  /** Statuses as encoded bytes, one or a page, as a viewer sees them. */
  readonly statusPages: StatusPages;
}
