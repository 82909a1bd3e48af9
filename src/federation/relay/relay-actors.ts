/**
 * The actors that sign requests to the relay: a bounded memory of what network threads have fetched. None becomes an
 * account here, and none is stored: a relay hears of everybody.
 */
import type { KeyObject } from 'node:crypto';
import type { KeyCache } from '../../outbound/signatures/key-cache.ts';
import { createPublicKeyCache, keyOwnerCandidates } from '../../outbound/signatures/keys.ts';
import { SizedMap } from '../../runtime/sized-map.ts';
import type { RelayActor, Unfound } from '../../services/relay.ts';
import type { Services } from '../../services/services.ts';

export interface RelaySigner {
  readonly actor: RelayActor;
  readonly publicKey: KeyObject;
}

const actorBytes = 600;

export class RelayActors {
  private readonly services: Pick<Services, 'relay'>;
  /** By their id, and by the address under which they were asked for. */
  private readonly actors: SizedMap<string, RelayActor>;
  private readonly fetching = new Map<string, Promise<RelayActor | Unfound>>();
  private readonly publicKeys: KeyCache;

  constructor(services: Pick<Services, 'relay' | 'caches'>) {
    const { caches } = services;
    this.services = services;
    const bytesMax = caches.bytesMax('relayActors') / 2;
    const actors = new SizedMap<string, RelayActor>({
      bytesMax,
      bytesOf: ({ keys }) => actorBytes + keys.reduce((sum, { text }) => sum + text.length, 0),
    });
    const publicKeys = createPublicKeyCache(bytesMax);
    this.actors = actors;
    this.publicKeys = publicKeys;
    caches.measure('relayActors', {
      get bytes() {
        return actors.bytes + publicKeys.bytes;
      },
    });
  }

  /** The signer with this key, as far as it is known. */
  find(keyId: string): RelaySigner | undefined {
    for (const address of [keyId, ...keyOwnerCandidates(keyId)]) {
      const actor = this.actors.use(address);
      const signer = actor && this.signerOf(actor, keyId);
      if (signer !== undefined) return signer;
    }
    return undefined;
  }

  /** Asks for the signer anew. Undefined where it has no such key, and while its server cannot be asked. */
  async fetchSigner(keyId: string): Promise<RelaySigner | undefined> {
    const actor = await this.fetch(keyId, true);
    return 'failure' in actor ? undefined : this.signerOf(actor, keyId);
  }

  /** The actor with this id. */
  async actor(uri: string): Promise<RelayActor | undefined> {
    const known = this.actors.use(uri);
    if (known !== undefined) return known;
    const actor = await this.fetch(uri, false);
    return 'failure' in actor ? undefined : actor;
  }

  private fetch(address: string, fresh: boolean): Promise<RelayActor | Unfound> {
    const running = this.fetching.get(address);
    if (running !== undefined) return running;
    const fetched = this.fetchOnce(address, fresh).finally(() => this.fetching.delete(address));
    this.fetching.set(address, fetched);
    return fetched;
  }

  private async fetchOnce(address: string, fresh: boolean): Promise<RelayActor | Unfound> {
    const actor = await this.services.relay.actor(address, fresh);
    if ('failure' in actor) return actor;
    this.actors.set(actor.uri, actor);
    if (address !== actor.uri) this.actors.set(address, actor);
    return actor;
  }

  private signerOf(actor: RelayActor, keyId: string): RelaySigner | undefined {
    const key = actor.keys.find(({ id }) => id === keyId) ?? (keyId === actor.uri ? actor.keys[0] : undefined);
    const publicKey = key && this.publicKeys.get(key.text);
    return publicKey && { actor, publicKey };
  }
}
