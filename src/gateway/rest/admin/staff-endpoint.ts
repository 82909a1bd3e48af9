/** Endpoints of staff, and the pages of their lists (behaviour of the Mastodon API). */
import type { z } from 'zod';
import type { Page } from '../../../actors/pages.ts';
import { demandPermission, type StaffPermission } from '../../../operations/permissions.ts';
import type { GatewayServices } from '../../gateway-services.ts';
import { type Answer, json } from '../../http/answers.ts';
import { type PageAddress, pageHeaders } from '../../http/pagination.ts';
import { pageParameters } from '../../http/parameter-types.ts';
import { type Endpoint, type EndpointDeclaration, endpoint } from '../../route.ts';

type NoParameters = z.ZodObject<Record<never, never>>;
type OfStaff<Schema extends z.ZodObject> = Omit<
  EndpointDeclaration<GatewayServices, Schema, 'user'>,
  'authentication' | 'admit' | 'method' | 'methods'
> &
  (
    | { readonly method: 'GET' | 'POST' | 'DELETE'; readonly methods?: never }
    | { readonly methods: readonly ['PUT', 'PATCH']; readonly method?: never }
  ) & { readonly answer: z.ZodType };

/** Who lacks the permission of the operation gets 403 before parameters are looked at. */
export function staffEndpoint<Schema extends z.ZodObject = NoParameters>(
  { permission }: { readonly permission: StaffPermission },
  declaration: OfStaff<Schema>,
): Endpoint<GatewayServices> {
  return endpoint<'user', Schema>({
    ...declaration,
    authentication: 'user',
    admit({ caller, services }): undefined {
      demandPermission(permission, caller, services);
    },
  });
}

/** All lists of staff: 100 entries, or up to 200. */
export const staffPageParameters = pageParameters(100, 200);

export function staffPageAnswer<Item>(
  request: PageAddress,
  page: Page<Item>,
  limit: number,
  entityOf: (item: Item) => unknown,
): Answer {
  return json(page.items.map(entityOf), { headers: pageHeaders(request, page, limit, 'min_id') });
}
