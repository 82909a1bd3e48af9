/**
 * Gives activities that others may pass on what proves them: a signature (RsaSignature2017), a proof (FEP-8b32), or both. It
 * is made once for all hosts: one activity is in the logs of several partitions.
 *
 * Authors of threads pass on answers, and their deletion, where these have a signature and nothing that Mastodon's context
 * does not define, such as a proof. Relays pass on everything that is public, where this server has joined one: it gets
 * both. Anything else that is public gets a proof, which costs a sixth of a signature.
 */
import type { Intent } from '../../actors/intents.ts';
import { isJsonObject, type JsonObject } from '../../outbound/fetcher/json.ts';
import type { RequestSigner } from '../../outbound/signatures/types.ts';
import { Failure } from '../../runtime/errors.ts';
import type { SignedDocuments } from '../../services/signed-documents.ts';
import { withProof } from '../document-signatures/integrity-proofs.ts';
import { signDocument } from '../document-signatures/sign-document.ts';
import { isPublic } from '../documents/audience.ts';
import { readAudience } from '../documents/read-note.ts';

/** As Mastodon does; relays and the authors of threads pass on nothing else. */
const passableKinds: ReadonlySet<Intent['kind']> = new Set([
  ...(['create', 'update', 'delete', 'updateAccount', 'deleteAccount', 'move'] as const),
]);
/** They are prepared for all partitions at about the same time. */
const latestMax = 32;

export class DocumentSigner {
  private readonly signedDocuments: Pick<SignedDocuments, 'hashes'>;
  private readonly now: () => number;
  private readonly hasRelays: () => boolean;
  private readonly latest = new Map<bigint, JsonObject | Promise<JsonObject>>();

  constructor(signedDocuments: Pick<SignedDocuments, 'hashes'>, now: () => number, hasRelays: () => boolean) {
    this.signedDocuments = signedDocuments;
    this.now = now;
    this.hasRelays = hasRelays;
  }

  /** Undefined for what nobody passes on. Resolves without a signature where too much is to be signed. */
  sign(
    { kind, activityId }: Intent,
    activity: JsonObject,
    signer: RequestSigner,
  ): JsonObject | Promise<JsonObject> | undefined {
    if (!passableKinds.has(kind) || !(kind === 'move' || isPublic(readAudience(activity)))) return undefined;
    const known = this.latest.get(activityId);
    if (known !== undefined) return known;
    const isThread = isOfThread(kind, activity);
    const { proofKey } = signer;
    const proved = isThread || proofKey === undefined ? activity : withProof(activity, proofKey, this.now());
    const signed = isThread || this.hasRelays() ? this.signed(activityId, proved, signer) : proved;
    if (signed === activity) return undefined;
    this.latest.set(activityId, signed);
    for (const [oldest] of this.latest) {
      if (this.latest.size <= latestMax) break;
      this.latest.delete(oldest);
    }
    return signed;
  }

  private signed(activityId: bigint, activity: JsonObject, signer: RequestSigner): Promise<JsonObject> {
    const options = { signer, createdAt: this.now() };
    return signDocument(this.signedDocuments, activity, options).catch((error: unknown) => {
      this.latest.delete(activityId);
      if (error instanceof Failure) return activity;
      throw error;
    });
  }
}

/** Nothing is known any more about what a Delete is of. */
function isOfThread(kind: Intent['kind'], { object }: JsonObject): boolean {
  return kind === 'delete' || (isJsonObject(object) && object.inReplyTo !== undefined && object.inReplyTo !== null);
}
