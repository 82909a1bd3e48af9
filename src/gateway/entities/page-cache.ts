/**
 * Caches answers with pages of an account's lists, because apps request the same newest page again and again while
 * little on it changes.
 *
 * INVARIANT a page is cached only with all of its sources (operations/presentation/sources.ts), and not at all if
 * making it has read storage.
 */
import type { Page } from '../../actors/pages.ts';
import type { Dialect } from '../../actors/session/session.messages.ts';
import { ByteCache, type CacheEntry } from '../../operations/presentation/byte-cache.ts';
import type { Sources } from '../../operations/presentation/sources.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Caches } from '../../services/caches.ts';
import type { Page as LinkedPage } from '../http/pagination.ts';
import { entityLimits } from './limits.ts';

/** What decides the form of a page. */
interface Asked {
  /** The validated ones: the same query gives the same object (http/known-queries.ts). */
  readonly parameters: object;
  readonly dialect: Dialect;
}

interface MadePage {
  readonly page: Page<unknown>;
  readonly body: Uint8Array;
  readonly sources: Sources;
}

class CachedPage implements LinkedPage {
  readonly asked: Asked;
  readonly list: object;
  readonly sources: Sources;
  readonly body: Uint8Array;
  readonly items: { readonly length: number };
  readonly newest: Id | undefined;
  readonly oldest: Id | undefined;
  readonly full: boolean;

  constructor(asked: Asked, list: object, { page, body, sources }: MadePage) {
    this.asked = asked;
    this.list = list;
    this.sources = sources;
    // Copied, because the buffer of bodies is reused for the next one.
    const copy = Buffer.allocUnsafeSlow(body.length);
    copy.set(body);
    this.body = copy;
    this.items = { length: page.items.length };
    this.newest = page.newest;
    this.oldest = page.oldest;
    this.full = page.full;
  }
}

/** Approximate memory of a page besides its bytes, and of an account. */
const pageBytes = 500;
const accountBytes = 200;

class PagesOfAccount implements CacheEntry {
  readonly pages: readonly CachedPage[];
  readonly bytes: number;

  constructor(pages: readonly CachedPage[]) {
    this.pages = pages;
    this.bytes = pages.reduce((sum, { body, sources }) => sum + pageBytes + body.length + sources.bytes, accountBytes);
  }
}

export class PageCache {
  private readonly accounts: ByteCache<PagesOfAccount>;
  private readonly now: () => number;

  constructor(caches: Caches, now: () => number) {
    this.now = now;
    this.accounts = new ByteCache(caches.bytesMax('pages'));
    caches.measure('pages', this.accounts);
  }

  /**
   * `list` is the current version of the account's list: another object after each change
   * (operations/presentation/versioned-lists.ts).
   */
  find(accountId: Id, asked: Asked, list: object): CachedPage | undefined {
    const kept = this.accounts.get(accountId)?.pages.find((page) => isSame(page.asked, asked));
    return kept?.list === list && kept.sources.areTrue(this.now()) ? kept : undefined;
  }

  /** Replaces the page that was asked for in the same way, or else the page that was cached first. */
  keep(accountId: Id, asked: Asked, list: object, made: MadePage): void {
    const others = this.accounts.get(accountId)?.pages.filter((page) => !isSame(page.asked, asked)) ?? [];
    const pages = [new CachedPage(asked, list, made), ...others.slice(0, entityLimits.cachedPagesPerAccountMax - 1)];
    this.accounts.delete(accountId);
    this.accounts.set(accountId, new PagesOfAccount(pages));
  }
}

function isSame(one: Asked, other: Asked): boolean {
  return one.parameters === other.parameters && one.dialect === other.dialect;
}
