/** Tries what waits for servers that did not answer, because the operator knows that they work again. */
import { z } from 'zod';
import { normaliseHost } from '../../federation/webfinger/handle.ts';
import { validationFailure } from '../../runtime/errors.ts';
import { operation } from '../operation.ts';

const all = 'all';

export const retryDeliveries = operation({
  /** A host[:port], or `all`. */
  input: z.object({ host: z.string() }),
  permission: 'operateMachine',
  audit: { nothing: 'it only brings forward what would be tried later' },
  /** Returns to how many servers; none where none of them fails. */
  async run({ services }, { host: name }): Promise<number> {
    if (name === all) return services.deliveryLanes.retry(undefined);
    const host = normaliseHost(name);
    if (host === undefined) throw validationFailure(`${name} is not the name of a server.`);
    return services.deliveryLanes.retry(host);
  },
});
