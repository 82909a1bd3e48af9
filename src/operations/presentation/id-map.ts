/**
 * A map from ids to values. Ids in a typed array can be looked up by their two halves, without creating and hashing a
 * bigint: a third of the time of a Map (measured), and a page of twenty statuses makes forty lookups.
 *
 * An open-addressing table: deletions leave a marker until the table is rebuilt.
 */
import type { Id } from '../../runtime/ids.ts';

const placesMin = 16;
/** The share of slots that are used or marked. */
const fillMax = 0.5;

/** An object, because comparing two objects is faster than anything else. */
const deleted: object = {};

export class IdMap<Value extends object> {
  size = 0;
  private keys = new Int32Array(2 * placesMin);
  private places: (Value | object | undefined)[] = new Array(placesMin).fill(undefined);
  private used = 0;

  get(id: Id): Value | undefined {
    return this.find(lowHalf(id), highHalf(id));
  }

  /** The value of the id with these halves, as signed integers. */
  find(low: number, high: number): Value | undefined {
    const value = this.places[this.placeOf(low, high)];
    return value === deleted ? undefined : (value as Value | undefined);
  }

  set(id: Id, value: Value): void {
    if (this.used + 1 > this.places.length * fillMax) this.rebuild();
    const low = lowHalf(id);
    const high = highHalf(id);
    const place = this.placeOf(low, high);
    const before = this.places[place];
    if (before === undefined) this.used += 1;
    if (before === undefined || before === deleted) this.size += 1;
    this.keys[2 * place] = low;
    this.keys[2 * place + 1] = high;
    this.places[place] = value;
  }

  delete(id: Id): void {
    const place = this.placeOf(lowHalf(id), highHalf(id));
    const before = this.places[place];
    if (before === undefined || before === deleted) return;
    this.places[place] = deleted;
    this.size -= 1;
  }

  clear(): void {
    this.resize(placesMin);
  }

  *values(): Generator<Value> {
    for (const value of this.places) if (value !== undefined && value !== deleted) yield value as Value;
  }

  /** The slot of the id, or the free slot for it. */
  private placeOf(low: number, high: number): number {
    const { keys, places } = this;
    const mask = places.length - 1;
    let place = ((Math.imul(low, 0x9e37_79b1) ^ Math.imul(high, 0x85eb_ca77)) >>> 7) & mask;
    while (places[place] !== undefined && (keys[2 * place] !== low || keys[2 * place + 1] !== high))
      place = (place + 1) & mask;
    return place;
  }

  /** Without the markers, and with room for as many again. */
  private rebuild(): void {
    const { keys, places } = this;
    let count = placesMin;
    while (count * fillMax < 2 * (this.size + 1)) count *= 2;
    this.resize(count);
    for (let index = 0; index < places.length; index += 1) {
      const value = places[index];
      if (value === undefined || value === deleted) continue;
      const place = this.placeOf(keys[2 * index]!, keys[2 * index + 1]!);
      this.keys[2 * place] = keys[2 * index]!;
      this.keys[2 * place + 1] = keys[2 * index + 1]!;
      this.places[place] = value;
      this.used += 1;
      this.size += 1;
    }
  }

  private resize(count: number): void {
    this.keys = new Int32Array(2 * count);
    this.places = new Array(count).fill(undefined);
    this.size = 0;
    this.used = 0;
  }
}

/** An id written here is read as its halves: a tenth of the time of bigint arithmetic (measured). */
const scratch = new BigUint64Array(1);
const scratchHalves = new Int32Array(scratch.buffer);

export function lowHalf(id: Id): number {
  scratch[0] = id;
  return scratchHalves[0]!;
}

export function highHalf(id: Id): number {
  scratch[0] = id;
  return scratchHalves[1]!;
}
