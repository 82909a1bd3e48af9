/** Addresses that serve a document to servers and a page to browsers. */
import { Failure } from '../../runtime/errors.ts';
import type { GatewayServices } from '../gateway-services.ts';
import { type Answer, redirect } from '../http/answers.ts';
import type { RawContext } from '../http/context.ts';
import type { RawRoute } from '../route.ts';

export type RawHandler = (context: RawContext<GatewayServices>) => Answer | Promise<Answer>;

/** The pages for browsers. `pathParameters` has `name`, and `id` for a status; a name may be `user@host`. */
export interface Pages {
  /** At /@NAME. */
  readonly profile?: RawHandler;
  /** At /@NAME/ID. */
  readonly status?: RawHandler;
  /** At /collections/ID. */
  readonly collection?: RawHandler;
  /** Renders failures that occur before a page is chosen. */
  readonly failed?: NonNullable<RawRoute<GatewayServices>['failed']>;
}

const vary = { Vary: 'Accept' };

/** Redirects a browser at the address of a document to the page of the same object, on the host that it used. */
export function toPage({ request, services }: RawContext<GatewayServices>, address: string): Answer {
  return redirect(request.origin + address.slice(services.addresses.origin.length), 302, vary);
}

/** Throws notAcceptable where there is no page. */
export function showPage(page: RawHandler | undefined, context: RawContext<GatewayServices>): Answer | Promise<Answer> {
  if (page === undefined) throw new Failure('notAcceptable');
  return page(context);
}
