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
import { ignoreFailure } from '../failures.ts';

export interface RelaySigner {
  readonly actor: RelayActor;
  readonly publicKey: KeyObject;
}

/** An actor, and when its server was last asked for it. */
interface KnownActor {
  readonly actor: RelayActor;
  askedAt: number;
}

const actorBytes = 600;
/** Who opts out is asked again by then, where nothing has told of the change. */
const freshMilliseconds = 6 * 60 * 60 * 1_000;

type ActorServices = Pick<Services, 'relay' | 'caches' | 'monotonic'>;

export class RelayActors {
  private readonly services: Pick<ActorServices, 'relay' | 'monotonic'>;
  /** By their id, and by the address under which they were asked for. */
  private readonly actors: SizedMap<string, KnownActor>;
  private readonly fetching = new Map<string, Promise<RelayActor | Unfound>>();
  private readonly publicKeys: KeyCache;

  constructor(services: ActorServices) {
    const { caches } = services;
    this.services = services;
    const bytesMax = caches.bytesMax('relayActors') / 2;
    const actors = new SizedMap<string, KnownActor>({
      bytesMax,
      bytesOf: ({ actor: { keys } }) => actorBytes + keys.reduce((sum, { text }) => sum + text.length, 0),
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
    const known = this.findAt(keyId, keyId);
    if (known !== undefined) return known;
    for (const address of keyOwnerCandidates(keyId)) {
      const signer = this.findAt(address, keyId);
      if (signer !== undefined) return signer;
    }
    return undefined;
  }

  private findAt(address: string, keyId: string): RelaySigner | undefined {
    const actor = this.known(address);
    return actor && this.signerOf(actor, keyId);
  }

  /** Asks for the signer anew. Undefined where it has no such key, and while its server cannot be asked. */
  async fetchSigner(keyId: string): Promise<RelaySigner | undefined> {
    const actor = await this.fetch(keyId, true);
    return 'failure' in actor ? undefined : this.signerOf(actor, keyId);
  }

  /** The actor with this id. */
  async actor(uri: string): Promise<RelayActor | undefined> {
    const known = this.known(uri);
    if (known !== undefined) return known;
    const actor = await this.fetch(uri, false);
    return 'failure' in actor ? undefined : actor;
  }

  /** It has changed: its server is asked before it counts again. */
  forget(uri: string): void {
    const known = this.actors.get(uri);
    if (known === undefined) return;
    this.actors.delete(uri);
    for (const { id } of known.actor.keys) this.actors.delete(id);
  }

  /** Asked for anew in passing where that was long ago: nobody waits for it. */
  private known(address: string): RelayActor | undefined {
    const known = this.actors.use(address);
    if (known === undefined) return undefined;
    const now = this.services.monotonic();
    if (now - known.askedAt > freshMilliseconds) {
      known.askedAt = now;
      // Undone is nothing by it: what is known still counts.
      void this.fetch(known.actor.uri, false).catch(ignoreFailure);
    }
    return known.actor;
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
    const known = { actor, askedAt: this.services.monotonic() };
    this.actors.set(actor.uri, known);
    if (address !== actor.uri) this.actors.set(address, known);
    return actor;
  }

  private signerOf(actor: RelayActor, keyId: string): RelaySigner | undefined {
    const key = actor.keys.find(({ id }) => id === keyId) ?? (keyId === actor.uri ? actor.keys[0] : undefined);
    const publicKey = key && this.publicKeys.get(key.text);
    return publicKey && { actor, publicKey };
  }
}
