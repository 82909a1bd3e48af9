/**
 * An endpoint that changes the viewer's state of a status, has no parameter but the status, and answers with its
 * original.
 */
import { z } from 'zod';
import type { PresentationContext } from '../../operations/presentation/contexts.ts';
import type { Id } from '../../runtime/ids.ts';
import { UserStatusEntity } from '../entities/status-schema.ts';
import type { GatewayServices } from '../gateway-services.ts';
import type { UserContext } from '../http/context.ts';
import { id } from '../http/parameter-types.ts';
import { type Endpoint, endpoint } from '../route.ts';
import { changedStatusAnswer } from './status-answers.ts';

interface StatusChange {
  /** POST by default. */
  readonly methods?: readonly ('POST' | 'DELETE')[];
  /** With the id of the status as `:id`. */
  readonly path: string;
  readonly scope: string;
  readonly summary: string;
  /** Returns the original. */
  readonly operation: (context: UserContext<GatewayServices>, input: { statusId: Id }) => Promise<{ statusId: Id }>;
  /** `takenBack` shows even statuses that are no longer visible to the user. */
  readonly shownAs: PresentationContext & ('single' | 'takenBack');
}

export function statusChange({
  methods = ['POST'],
  path,
  scope,
  summary,
  operation,
  shownAs,
}: StatusChange): Endpoint<GatewayServices> {
  return endpoint({
    methods,
    path,
    authentication: 'user',
    scopes: [scope],
    parameters: z.object({ id }),
    summary,
    answer: UserStatusEntity,
    async handler(context, given) {
      const { statusId } = await operation(context, { statusId: given.id });
      return changedStatusAnswer(context.services, statusId, context.grant.accountId, shownAs);
    },
  });
}
