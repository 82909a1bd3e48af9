/**
 * A map from ids to values. Ids in a typed array can be looked up by their two halves, without a bigint being made and
 * hashed: a third of the time of a Map (measured), and a page of twenty statuses looks up forty.
 *
 * An open-addressing table: what is deleted leaves a mark until the table is made anew.
 */
import type { Id } from '../../runtime/ids.ts';

const placesMin = 16;
/** Of the places that are taken or marked. */
const fillMax = 0.5;

/** An object, because two objects are compared faster than anything else. */
const deleted: object = {};

export class IdMap<Value extends object> {
  size = 0;
  private keys = new Int32Array(2 * placesMin);
  private places: (Value | object | undefined)[] = new Array(placesMin).fill(undefined);
  private used = 0;

  get(id: Id): Value | undefined {
    return this.find(lowHalf(id), highHalf(id));
  }

  /** The value of the id with these halves, as signed whole numbers. */
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

  /** Where the id stands, or the free place where it would. */
  private placeOf(low: number, high: number): number {
    const { keys, places } = this;
    const mask = places.length - 1;
    let place = ((Math.imul(low, 0x9e37_79b1) ^ Math.imul(high, 0x85eb_ca77)) >>> 7) & mask;
    while (places[place] !== undefined && (keys[2 * place] !== low || keys[2 * place + 1] !== high))
      place = (place + 1) & mask;
    return place;
  }

  /** Without the marks, and with room for as many again. */
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

/** An id written here is read as its halves: a tenth of the time of arithmetic on bigints (measured). */
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
