/** What accounts without pictures look like: one of 30 avatars and six headers, always the same for an account. */
import type { Id } from '../../runtime/ids.ts';

const tints = 6;
const marks = 5;
/** Where the slot begins in an id: the counter bits below it are nearly always the same. */
const counterBits = 6n;

export interface DefaultLook {
  /** A colour, of the avatar and of the header. */
  readonly tint: number;
  /** A shape behind the figure or the initials. */
  readonly mark: number;
}

export function defaultLook(accountId: Id): DefaultLook {
  const number = Number((accountId >> counterBits) % BigInt(tints * marks));
  return { tint: number % tints, mark: Math.floor(number / tints) };
}

export function defaultPath(accountId: Id, kind: 'avatar' | 'header'): string {
  const { tint, mark } = defaultLook(accountId);
  return kind === 'avatar' ? avatarPath(mark * tints + tint) : headerPath(tint);
}

const avatarPath = (index: number) => `/avatars/${index}.png`;
const headerPath = (index: number) => `/headers/${index}.png`;

/** Of all of them: what is there never changes. */
export const defaultPaths: readonly string[] = [
  ...Array.from({ length: tints * marks }, (_, index) => avatarPath(index)),
  ...Array.from({ length: tints }, (_, index) => headerPath(index)),
];
