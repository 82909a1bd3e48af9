/**
 * A part of a status: what it shows besides its text, such as its poll. A feature declares its part in an `x.part.ts`:
 * its fields in what is stored and sent, and how one becomes the other. Pure: what a turn does about a part is a row of
 * `account/hooks-of-statuses.ts`.
 */
import type { z } from 'zod';
import type { Visibility } from './account/account.records.ts';
import type { StatusFacts } from './account/statuses/statuses.events.ts';

/** A value that is each of a union. */
export type Intersection<Union> = (Union extends unknown ? (one: Union) => void : never) extends (
  all: infer All,
) => void
  ? All
  : never;

type Shape = z.ZodRawShape;
/** Zod has no values for no fields. */
type Values<Fields extends Shape> = keyof Fields extends never ? object : z.output<z.ZodObject<Fields>>;

/** Of a status: what its parts may depend on. */
interface Around {
  readonly visibility: Visibility;
  readonly mentions: readonly { readonly id: bigint }[];
}

export interface StatusPart<
  Stored extends Shape,
  Written extends Shape,
  Edit extends Shape,
  Received extends Shape,
  Version extends Shape,
> {
  /** Fields of a stored status. Those of a new part are optional: earlier statuses do not have them. */
  readonly stored: Stored;
  /** Fields of the messages with which a local author publishes a status, and edits it. */
  readonly written: Written;
  readonly edit: Edit;
  /** Fields of a status that another server sends. */
  readonly received: Received;
  /** Fields of an earlier version: appended to its record, in the order of the table of parts. */
  readonly version: Version;
  /** Absent: the stored fields as written. */
  ofWritten?(written: Values<Written>, now: number): Values<Stored>;
  /** Absent: an author cannot edit it. */
  ofEdit?(before: Values<Stored> & Pick<Around, 'visibility'>, edit: Values<Edit>, now: number): Values<Stored>;
  /** Absent: the stored fields as received. */
  ofReceived?(received: Values<Received>): Values<Stored>;
  /** Absent: the same as for a new status. */
  ofReceivedEdit?(before: Values<Stored>, received: Values<Received> & Pick<Around, 'mentions'>): Values<Stored>;
  versionOf?(part: Values<Stored>): Values<Version>;
  /** What makes a change of it an edit. Absent: every change of it is silent. */
  content?(part: Values<Stored>): unknown;
  /** Fields that another server may change without an edit. */
  readonly silent?: readonly (keyof Stored & keyof Received)[];
  /** What it adds to events. */
  facts?(part: Values<Stored>): Partial<StatusFacts>;
}

/** Infers the types of a part from its fields. */
export function statusPart<
  Stored extends Shape,
  Written extends Shape,
  Edit extends Shape,
  Received extends Shape,
  Version extends Shape,
>(part: StatusPart<Stored, Written, Edit, Received, Version>): StatusPart<Stored, Written, Edit, Received, Version> {
  return part;
}
