/**
 * From an access token to its grant. Grants are cached by token, so that a request normally costs one map lookup;
 * changes arrive as events. INVARIANT: a grant in the cache was read after every event seen so far.
 */
import { findLocalAccount, loginStateOf } from '../../actors/account/profile/logins.queries.ts';
import { cacheables } from '../../actors/cacheables.ts';
import { dayOf, Session, tokenKey } from '../../actors/session/session.messages.ts';
import { grantOfToken, type StoredGrant } from '../../actors/session/session.queries.ts';
import { demandActive } from '../../operations/registration/sign-in.ts';
import { useFrom } from '../../operations/registration/sign-in-source.ts';
import { lacksTwoFactor } from '../../operations/two-factor/required.ts';
import { Failure, isTemporary } from '../../runtime/errors.ts';
import type { Id } from '../../runtime/ids.ts';
import { SizedMap } from '../../runtime/sized-map.ts';
import { flowOfAccount, flowOfVisitors, type Services } from '../../services/services.ts';
import type { Admission, Authenticate, Client, Grant } from '../http/grant.ts';

type AuthenticatorServices = Pick<
  Services,
  'snapshots' | 'client' | 'events' | 'caches' | 'now' | 'options' | 'report'
>;

/**
 * Always synchronous. A token whose account may not sign in is refused with the Failure of demandActive, or
 * twoFactorRequired.
 */
export function createAuthenticator(services: AuthenticatorServices): Authenticate {
  const cache = new GrantCache(services.caches.bytesMax('grants'));
  services.caches.measure('grants', cache);
  services.events.onInvalidation(cacheables.grant, (tokenId) => cache.dropToken(tokenId));
  // A role may ask for two-factor authentication.
  services.events.onInvalidation(cacheables.roles, () => cache.clear());
  services.events.onInvalidation(cacheables.grantsOfAccount, (accountId) => cache.dropAccount(accountId));
  services.events.onLoss(() => cache.clear());
  return (token, client, admits = 'active') => {
    const stored = cache.get(token) ?? readGrant(services, cache, token, admits);
    if (stored === undefined) return undefined;
    const now = services.now();
    const today = dayOf(now);
    if (stored.lastUsedDay < today || stored.nextLookAt <= now) look(services, stored, today, client);
    return stored.grant;
  };
}

interface CachedGrant {
  readonly grant: StoredGrant['grant'] & Pick<Grant, 'hasMoved'>;
  lastUsedDay: number;
  /** The addresses from which it was used on that day, as far as this gateway knows. */
  addresses: string[];
  /** Until then nobody asks from which address it is used. */
  nextLookAt: number;
}

const lookMilliseconds = 60_000;
/** More are not told apart. */
const addressesMax = 16;

/** About the memory of a grant with its token (measured). */
const grantBytes = 1_500;

class GrantCache {
  private readonly grants: SizedMap<string, CachedGrant>;
  private readonly tokens = new Map<string, string>();

  constructor(bytesMax: number) {
    this.grants = new SizedMap({
      bytesMax,
      bytesOf: () => grantBytes,
      dropped: ({ grant }) => this.tokens.delete(grant.tokenId),
    });
  }

  get bytes(): number {
    return this.grants.bytes;
  }

  get(token: string): CachedGrant | undefined {
    return this.grants.get(token);
  }

  add(token: string, cached: CachedGrant): void {
    this.tokens.set(cached.grant.tokenId, token);
    this.grants.set(token, cached);
  }

  dropToken(tokenId: string): void {
    const token = this.tokens.get(tokenId);
    if (token !== undefined) this.grants.delete(token);
  }

  dropAccount(accountId: Id): void {
    for (const [token, { grant }] of this.grants) if (grant.accountId === accountId) this.grants.delete(token);
  }

  clear(): void {
    this.grants.clear();
  }
}

function readGrant(
  services: AuthenticatorServices,
  cache: GrantCache,
  token: string,
  admits: Admission,
): CachedGrant | undefined {
  const { snapshots } = services;
  const stored = grantOfToken(snapshots, token);
  if (stored === undefined) return undefined;
  const { accountId } = stored.grant;
  let hasMoved = false;
  if (accountId !== undefined) {
    const account = findLocalAccount(snapshots, accountId);
    if (account === undefined) return undefined;
    const state = loginStateOf(account);
    // Not cached: other endpoints must not find it.
    if (state === 'unconfirmed' && admits === 'unconfirmed') return { ...stored, ...unwatched };
    if ((state === 'unconfirmed' || state === 'pending') && admits === 'waiting')
      return { ...stored, ...unwatched, grant: { ...stored.grant, accountId: undefined } };
    demandActive(state);
    if (lacksTwoFactor(services, account)) throw new Failure('twoFactorRequired');
    hasMoved = account.profile.movedTo !== undefined;
  }
  const cached = { ...stored, ...unused(), grant: { ...stored.grant, hasMoved } };
  cache.add(token, cached);
  return cached;
}

function unused(): Pick<CachedGrant, 'addresses' | 'nextLookAt'> {
  return { addresses: [], nextLookAt: 0 };
}

/** For a grant that is not kept: nobody knows from where it was used before. */
const unwatched = { addresses: [], nextLookAt: Number.POSITIVE_INFINITY };

/** Whether it is used on another day, or from another address. */
function look(services: AuthenticatorServices, stored: CachedGrant, day: number, { ip }: Client): void {
  const isNewDay = stored.lastUsedDay < day;
  if (isNewDay) stored.addresses = [];
  stored.nextLookAt = services.now() + lookMilliseconds;
  const { addresses } = stored;
  const isNewAddress = stored.grant.accountId !== undefined && !addresses.includes(ip);
  if (isNewAddress && addresses.length < addressesMax) addresses.push(ip);
  else if (!isNewDay) return;
  noteUse(services, stored, day, ip);
}

/**
 * Once a day per gateway thread, and for each other address of that day: activity statistics count days, staff and the
 * account see addresses, and nothing else depends on this write.
 */
function noteUse(services: AuthenticatorServices, stored: CachedGrant, day: number, address: string): void {
  const { client, report } = services;
  const { lastUsedDay } = stored;
  stored.lastUsedDay = day;
  const { tokenId, accountId } = stored.grant;
  const from = useFrom(services, address);
  const flow = accountId === undefined ? flowOfVisitors : flowOfAccount(accountId);
  client.call(Session.tokenUsed.to(tokenKey(tokenId), { day, from }), flow).catch((error: unknown) => {
    // The next request tries again.
    if (isTemporary(error)) Object.assign(stored, { ...unused(), lastUsedDay });
    else report({ level: 'warn', message: 'the use of a token could not be recorded', error });
  });
}
