/** Reads what a local account has lost with the decisions of staff. */
import type { Id } from '../../../runtime/ids.ts';
import type { Reader } from '../../../runtime/storage/reader.ts';
import type { SeveredFollow, StoredSeverance } from './severed.records.ts';
import { severances, severedFollows } from './severed.state.ts';

export interface Severance extends StoredSeverance {
  readonly id: Id;
}

export function findSeverance(reader: Reader, accountId: Id, severanceId: Id): Severance | undefined {
  const found = reader.get(severances, [accountId, severanceId]);
  return found && { id: severanceId, ...found };
}

/** Latest first. */
export function severancesOf(reader: Reader, accountId: Id, limit: number): Severance[] {
  return Array.from(reader.range(severances, [accountId], { reverse: true, limit }), ({ key, value }) => ({
    id: key[1],
    ...value,
  }));
}

export function* followsOfSeverance(reader: Reader, accountId: Id, severanceId: Id): Generator<SeveredFollow> {
  for (const { value } of reader.range(severedFollows, [accountId, severanceId])) yield value;
}
