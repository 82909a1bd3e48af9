/**
 * The IP addresses that staff block, compiled once for each thread. Events tell which ranges have changed: only those are
 * read again, at the next question.
 */
import { cacheables } from '../actors/cacheables.ts';
import { addressList, allAddressBlocks, findAccessBlock } from '../actors/instance/access/access.queries.ts';
import type { AddressBlock } from '../actors/instance/access/access.records.ts';
import { type AddressSeverity, strictestOf } from '../actors/policy/access.ts';
import { AddressRanges, parseRange } from '../actors/policy/addresses.ts';
import type { Reader } from '../runtime/storage/reader.ts';
import type { EventHub } from './event-hub.ts';
import { member } from './members.ts';

interface BlockServices {
  readonly snapshots: Reader;
  readonly events: Pick<EventHub, 'onInvalidation' | 'onLoss'>;
}

/** Addresses whose answer is remembered until a block changes. */
const decisionsMax = 10_000;

class AddressBlocks {
  private readonly services: BlockServices;
  private ranges: AddressRanges<AddressSeverity> | undefined;
  /** Ranges that nobody may come from. */
  private readonly barred = new Set<string>();
  /** Ranges whose blocks have changed since they were read. */
  private readonly changed = new Set<string>();
  private readonly decisions = new Map<string, boolean>();

  constructor(services: BlockServices) {
    this.services = services;
    services.events.onInvalidation(cacheables.addressBlock, (range) => void this.changed.add(range));
    services.events.onLoss(() => {
      this.ranges = undefined;
    });
  }

  /** The strictest one of all blocks that contain the address. */
  severityOf(address: string): AddressSeverity | undefined {
    return strictestOf(this.current().containing(address));
  }

  /** Whether no request of it is served. Costs nothing while there is no such block, and one look-up for a known address. */
  bars(client: { readonly ip: string }): boolean {
    this.current();
    if (this.barred.size === 0) return false;
    const { ip } = client;
    const known = this.decisions.get(ip);
    if (known !== undefined) return known;
    if (this.decisions.size >= decisionsMax) this.decisions.clear();
    const isBarred = this.severityOf(ip) === 'no_access';
    this.decisions.set(ip, isBarred);
    return isBarred;
  }

  private current(): AddressRanges<AddressSeverity> {
    this.ranges ??= this.compile();
    if (this.changed.size > 0) this.readChanged(this.ranges);
    return this.ranges;
  }

  private compile(): AddressRanges<AddressSeverity> {
    const ranges = new AddressRanges<AddressSeverity>();
    this.changed.clear();
    this.decisions.clear();
    this.barred.clear();
    for (const block of allAddressBlocks(this.services.snapshots)) this.set(ranges, block.range, block);
    return ranges;
  }

  private readChanged(ranges: AddressRanges<AddressSeverity>): void {
    const { snapshots } = this.services;
    for (const range of this.changed) this.set(ranges, range, findAccessBlock(snapshots, addressList, range));
    this.changed.clear();
    this.decisions.clear();
  }

  private set(ranges: AddressRanges<AddressSeverity>, range: string, block: AddressBlock | undefined): void {
    const parsed = parseRange(range);
    if (parsed !== undefined) ranges.set(parsed, block?.severity);
    if (block?.severity === 'no_access') this.barred.add(range);
    else this.barred.delete(range);
  }
}

/** Ask once for each thread: it follows every change. */
export const addressBlocksOf = member((services: BlockServices) => new AddressBlocks(services));
