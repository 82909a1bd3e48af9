/** Partial objects: parts of the server of which a test provides only what it needs. */
import type { Dialects } from '../../src/outbound/signatures/dialects.ts';
import type { Client } from '../../src/runtime/threads/client.ts';
import type { CleanRemoteHtml } from '../../src/services/clean-remote-html.ts';
import type { DeliveryLanes } from '../../src/services/delivery-lanes.ts';
import type { RemoteResolver } from '../../src/services/services.ts';
import type { SignedDocuments } from '../../src/services/signed-documents.ts';
import type { TestServer } from './actors.ts';

/** A `Whole` with only the given properties. Reading any other throws an Error that names it. */
export function only<Whole extends object>(name: string, given: Partial<Whole>): Whole {
  return new Proxy(given, {
    get(target, property, receiver) {
      // Awaiting or printing an object reads properties outside of its interface.
      if (property in target || typeof property === 'symbol' || asked.has(property))
        return Reflect.get(target, property, receiver);
      throw new Error(`this test has no ${name}.${property}`);
    },
  }) as Whole;
}

/** For tests without HTML of other servers. */
export const cleanNothing: CleanRemoteHtml = () => {
  throw new Error('this test has nobody who cleans HTML');
};

/** Without the pool; what it needs is loaded with the first document. */
export const documentsHere: SignedDocuments = {
  examine: async (text) => (await signedDocumentTask()).examineSigned(text),
  hashes: async (unsigned) => (await signedDocumentTask()).hashesForSignature(unsigned),
};

function signedDocumentTask() {
  return import('../../src/federation/document-signatures/signed-document.task.ts');
}

/** For tests without other servers. */
export const nobodyElsewhere: RemoteResolver = {
  resolveHandles: async () => new Map(),
  resolveHandle: async () => undefined,
  resolveAddress: async () => undefined,
  findKeyOwner: async () => ({ failure: 'unreachable' }),
};

/** For tests without network threads. */
export const noDeliveries: DeliveryLanes = {
  reports: async () => [],
  ofHosts: async () => [],
  retry: async () => 0,
  heardFrom: () => undefined,
};

/** For tests whose hosts know draft-cavage alone. */
export const draftCavageOnly: Pick<Dialects, 'of' | 'afterRefusal' | 'accepted' | 'worked'> = {
  of: () => 'draftCavage',
  afterRefusal: () => undefined,
  accepted: () => undefined,
  worked: () => undefined,
};

/** Calls, controls, letters and damage of actors in memory, without threads. */
export function clientOf(server: TestServer): Client {
  return only<Client>('client', {
    call: (envelope, origin) => server.call(envelope, origin),
    control: server.control.bind(server),
    letters: server.letters.bind(server),
    damageMet: (partition, key) => server.partitions[partition]!.damageMet(key),
    placement: server.read.placement,
  });
}

const asked: ReadonlySet<string> = new Set(['then', 'toJSON', 'asymmetricMatch']);
