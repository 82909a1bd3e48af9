/**
 * IP addresses and ranges of them (RFC 4632, RFC 4291), as staff type them and as requests come from them. An IPv4 address
 * that is mapped into IPv6 is the IPv4 address. Pure.
 */
interface Address {
  /** 32 or 128. */
  readonly size: number;
  readonly bits: bigint;
}

export interface AddressRange extends Address {
  /** How many bits, from the first on, all addresses of the range share. */
  readonly length: number;
}

/** `192.0.2.0/24`, `2001:db8::/32`, or a single address. Bits behind the prefix are ignored. */
export function parseRange(text: string): AddressRange | undefined {
  const [written = '', given, ...rest] = text.split('/');
  const address = parseAddress(written);
  if (address === undefined || rest.length > 0 || (given !== undefined && !/^\d{1,3}$/.test(given))) return undefined;
  const { size } = address;
  const isMapped = size === 32 && written.includes(':');
  const length = given === undefined ? size : Number(given) - (isMapped ? 96 : 0);
  if (length < 0 || length > size) return undefined;
  const hostBits = BigInt(size - length);
  return { size, bits: (address.bits >> hostBits) << hostBits, length };
}

/** In normal form, always with the prefix. */
export function rangeText({ size, bits, length }: AddressRange): string {
  return `${size === 32 ? textOfShort(bits) : textOfLong(bits)}/${length}`;
}

function parseAddress(text: string): Address | undefined {
  return text.includes(':') ? parseLong(text) : parseShort(text);
}

function parseShort(text: string): Address | undefined {
  const octets = text.split('.');
  if (octets.length !== 4 || !octets.every((octet) => /^(?:0|[1-9]\d{0,2})$/.test(octet) && Number(octet) < 256))
    return undefined;
  return { size: 32, bits: octets.reduce((bits, octet) => (bits << 8n) | BigInt(octet), 0n) };
}

const mapped = 0xffffn;

function parseLong(text: string): Address | undefined {
  const halves = text.split('::');
  if (halves.length > 2) return undefined;
  const [head, tail] = halves.map(groupsOf);
  if (head === undefined || (halves.length === 2 && tail === undefined)) return undefined;
  const missing = 8 - head.length - (tail?.length ?? 0);
  if (tail === undefined ? missing !== 0 : missing < 1) return undefined;
  const groups = [...head, ...Array.from({ length: missing }, () => 0n), ...(tail ?? [])];
  const bits = groups.reduce((sum, group) => (sum << 16n) | group, 0n);
  return bits >> 32n === mapped ? { size: 32, bits: bits & 0xffff_ffffn } : { size: 128, bits };
}

/** The last two groups may be written as an IPv4 address. Undefined where anything is no group. */
function groupsOf(text: string): bigint[] | undefined {
  if (text === '') return [];
  const groups: bigint[] = [];
  const written = text.split(':');
  for (const [index, group] of written.entries()) {
    const short = index === written.length - 1 ? parseShort(group) : undefined;
    if (short !== undefined) groups.push(short.bits >> 16n, short.bits & 0xffffn);
    else if (/^[0-9a-fA-F]{1,4}$/.test(group)) groups.push(BigInt(`0x${group}`));
    else return undefined;
  }
  return groups;
}

function textOfShort(bits: bigint): string {
  return [24n, 16n, 8n, 0n].map((shift) => (bits >> shift) & 0xffn).join('.');
}

/** RFC 5952: the longest run of zeros is left out. */
function textOfLong(bits: bigint): string {
  const groups = Array.from({ length: 8 }, (_, index) => ((bits >> BigInt(112 - 16 * index)) & 0xffffn).toString(16));
  const text = groups.join(':');
  const runs = text.match(/(?<=^|:)0(?::0)+(?=:|$)/g) ?? [];
  const longest = runs.reduce((best, run) => (run.length > best.length ? run : best), '');
  if (longest === '') return text;
  const at = text.search(new RegExp(`(?<=^|:)${longest}(?=:|$)`));
  return `${text.slice(0, at).replace(/:$/, '')}::${text.slice(at + longest.length).replace(/^:/, '')}`;
}

/** The two halves of an address, by which addresses sort: an IPv4 address as it is mapped into IPv6. */
export type AddressKey = readonly [bigint, bigint];

const halfBits = 64n;
/** The highest value of a half. */
export const halfMax = (1n << halfBits) - 1n;
const mappedBits = mapped << 32n;

/** Undefined for what is no address. */
export function keyOfAddress(text: string): [bigint, bigint] | undefined {
  const address = parseAddress(text);
  return address === undefined ? undefined : keyOfBits(longBits(address));
}

export function textOfAddressKey([first, second]: AddressKey): string {
  const isShort = first === 0n && second >> 32n === mapped;
  return isShort ? textOfShort(second & 0xffff_ffffn) : textOfLong((first << halfBits) | second);
}

/** Whether two addresses are of one network, as far as addresses tell: the same /16 of IPv4, or /64 of IPv6. */
export function isSameNetwork(one: readonly [bigint, bigint], other: readonly [bigint, bigint]): boolean {
  if (one[0] !== other[0]) return false;
  const areShort = one[0] === 0n && one[1] >> 32n === mapped && other[1] >> 32n === mapped;
  return !areShort || one[1] >> 16n === other[1] >> 16n;
}

/** The first and the last address of a range. */
export function keysOfRange(range: AddressRange): { readonly first: AddressKey; readonly last: AddressKey } {
  const hostBits = BigInt(range.size - range.length);
  const first = longBits(range);
  return { first: keyOfBits(first), last: keyOfBits(first | ((1n << hostBits) - 1n)) };
}

export function isInRange(text: string, { size, bits, length }: AddressRange): boolean {
  const address = parseAddress(text);
  if (address === undefined || address.size !== size) return false;
  const hostBits = BigInt(size - length);
  return address.bits >> hostBits === bits >> hostBits;
}

function longBits({ size, bits }: Address): bigint {
  return size === 32 ? mappedBits | bits : bits;
}

function keyOfBits(bits: bigint): [bigint, bigint] {
  return [bits >> halfBits, bits & halfMax];
}

/** Ranges by prefix: a look-up for each length of prefix that occurs, however many ranges there are. */
export class AddressRanges<Value> {
  private readonly bySize = new Map<number, Map<number, Map<bigint, Value>>>();

  set({ size, length, bits }: AddressRange, value: Value | undefined): void {
    const byLength = this.bySize.get(size) ?? new Map<number, Map<bigint, Value>>();
    this.bySize.set(size, byLength);
    const values = byLength.get(length) ?? new Map<bigint, Value>();
    if (value === undefined) values.delete(bits);
    else values.set(bits, value);
    if (values.size === 0) byLength.delete(length);
    else byLength.set(length, values);
  }

  /** Of each range that contains the address. Nothing for what is no address. */
  *containing(text: string): Generator<Value> {
    const address = parseAddress(text);
    for (const [length, values] of (address && this.bySize.get(address.size)) ?? []) {
      const hostBits = BigInt(address!.size - length);
      const value = values.get((address!.bits >> hostBits) << hostBits);
      if (value !== undefined) yield value;
    }
  }
}
