/** A POST that was refused is sent once more, in the other form of signature, where its host may take that. */
import type { Dialect, Dialects } from '../signatures/dialects.ts';
import type { DeliveryResult } from './deliver.ts';

/** With which servers answer to a signature that they cannot read. Some that know the old form only say 403. */
const refusals: Readonly<Record<Dialect, ReadonlySet<number>>> = {
  draftCavage: new Set([400, 401]),
  rfc9421: new Set([400, 401, 403]),
};

export type PostDialects = Pick<Dialects, 'of' | 'afterRefusal' | 'accepted' | 'worked'>;

/** The answer that counts: the first, or that to the other form where it was taken. Rejects as `post` does. */
export async function answerInEitherDialect(
  dialects: PostDialects,
  { host, dialect, result }: { readonly host: string; readonly dialect: Dialect; readonly result: DeliveryResult },
  post: (other: Dialect) => Promise<DeliveryResult>,
): Promise<DeliveryResult> {
  if (!result.ok || !refusals[dialect].has(result.status)) {
    if (result.ok && result.status < 300) dialects.worked(host, dialect);
    return result;
  }
  // Another request may have found out meanwhile.
  const known = dialects.of(host);
  const other = known === dialect ? dialects.afterRefusal(host, dialect, result.asksForMessageSignature) : known;
  if (other === undefined) return result;
  const second = await post(other);
  if (!second.ok || second.status >= 300) return result;
  dialects.accepted(host, other);
  return second;
}
