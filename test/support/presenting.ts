/** The presenter of a gateway thread over the partitions of a test: it receives the events of every commit at once. */
import { type GatewayServices, gatewayServices } from '../../src/gateway/gateway-services.ts';
import type { Caches } from '../../src/services/caches.ts';
import type { TestServer } from './actors.ts';
import { testServices } from './services.ts';

export function presenting(server: TestServer, caches?: Caches): GatewayServices {
  const nothing = { elsewhere: new Map(), home: { ids: new BigUint64Array(), complete: true } };
  const services = gatewayServices(Object.assign(testServices(server, nothing), caches && { caches }));
  server.watch(
    (batch) => services.events.dispatch(batch, []),
    () => services.events.dispatchLoss(),
  );
  return services;
}
