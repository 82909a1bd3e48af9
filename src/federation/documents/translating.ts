/** The context for rendering an intent. */
import type { Intent } from '../../actors/intents.ts';
import type { Reader } from '../../runtime/storage/reader.ts';
import type { Addresses } from '../../services/addresses.ts';

export type IntentOf<Kind extends Intent['kind']> = Extract<Intent, { kind: Kind }>;

export interface Translating {
  readonly reader: Reader;
  readonly addresses: Addresses;
  readonly username: string;
  /** The URI of the acting account. */
  readonly actor: string;
}
