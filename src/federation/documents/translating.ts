/** How intents are rendered: from what, and by which function for each kind. */
import type { Intent } from '../../actors/intents.ts';
import type { JsonObject } from '../../outbound/fetcher/json.ts';
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

/** With `@context`; undefined when an object of it was deleted, so that there is nothing to send. */
export type Rendering<Kind extends Intent['kind']> = (
  intent: IntentOf<Kind>,
  translating: Translating,
) => JsonObject | undefined;

/** One row for each kind. */
export type Renderings<Kinds extends Intent['kind']> = { readonly [Kind in Kinds]: Rendering<Kind> };
