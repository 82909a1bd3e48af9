/**
 * Verifies every signature that the server under test makes, with the key that it shows for it.
 *
 * What one signature covers for all receivers is verified once: as long as the covered headers and the body are the same
 * bytes, the answer is the same.
 */
import type { KeyObject } from 'node:crypto';
import { checkContentDigest, checkDigest } from '../../../src/outbound/signatures/digest.ts';
import { parseSignatureHeader } from '../../../src/outbound/signatures/draft-cavage.ts';
import { keyOwnerCandidates, parsePublicKey } from '../../../src/outbound/signatures/keys.ts';
import { parseMessageSignature } from '../../../src/outbound/signatures/message-signatures.ts';
import type { RequestSignature, SignedRequest } from '../../../src/outbound/signatures/types.ts';
import { verifyRequest } from '../../../src/outbound/signatures/verify-request.ts';

/** What a receiver demands: Mastodon takes a signature that does not name its host, others do not, some take RFC 9421 only. */
export type Demand = 'any' | 'own host' | 'rfc9421';
/** How a request was signed. */
export type SignedWay = 'for all' | 'for the host' | 'rfc9421';

export type Verdict = { readonly ok: true; readonly way: SignedWay } | { readonly ok: false; readonly why: string };

const rememberedMax = 512;
const shareable: ReadonlySet<string> = new Set(['date', 'digest', 'content-type', '(created)', '(expires)']);

export class Verifier {
  private readonly documentAt: (document: string) => Promise<unknown>;
  private readonly keys = new Map<string, KeyObject>();
  private readonly fetching = new Map<string, Promise<KeyObject | undefined>>();
  /** Verdicts of signatures for all, by everything that they cover. */
  private readonly verdicts = new Map<string, boolean>();
  private readonly bodies = new Map<string, Buffer>();

  /** `documentAt` gets an actor of the server under test; undefined where there is none. */
  constructor(documentAt: (address: string) => Promise<unknown>) {
    this.documentAt = documentAt;
  }

  /** At once where the key is known. */
  verify(request: SignedRequest, demand: Demand): Verdict | Promise<Verdict> {
    const signature = signatureOf(request);
    if (signature === undefined) return { ok: false, why: 'unsigned or malformed' };
    const way = wayOf(signature);
    const refusal = refusalOf(signature, way, demand) ?? this.digestRefusal(request, way);
    if (refusal !== undefined) return { ok: false, why: refusal };
    const known = this.keys.get(signature.keyId);
    if (known !== undefined) return this.check(request, signature, known, way);
    return this.fetchKey(signature.keyId).then((key) =>
      key === undefined ? { ok: false, why: 'no key to be found' } : this.check(request, signature, key, way),
    );
  }

  private check(request: SignedRequest, signature: RequestSignature, key: KeyObject, way: SignedWay): Verdict {
    const isValid =
      way === 'for all' ? this.checkShared(request, signature, key) : verifyRequest(request, signature, key).ok;
    return isValid ? { ok: true, way } : { ok: false, why: 'signature does not match' };
  }

  private checkShared(request: SignedRequest, signature: RequestSignature, key: KeyObject): boolean {
    const { headers } = request;
    const covered = ['signature', 'date', 'digest', 'content-type'].map((name) => headers.get(name)).join('\n');
    const known = this.verdicts.get(covered);
    if (known !== undefined) return known;
    const verdict = verifyRequest(request, signature, key).ok;
    remember(this.verdicts, covered, verdict);
    return verdict;
  }

  private digestRefusal({ headers, body }: SignedRequest, way: SignedWay): string | undefined {
    const bytes = body ?? Buffer.alloc(0);
    if (way === 'rfc9421') {
      const digest = headers.get('content-digest');
      return digest === undefined ? 'no digest' : checkContentDigest(digest, bytes);
    }
    const digest = headers.get('digest');
    if (digest === undefined) return 'no digest';
    if (this.bodies.get(digest)?.equals(bytes) === true) return undefined;
    const refusal = checkDigest(digest, bytes);
    if (refusal === undefined) remember(this.bodies, digest, Buffer.from(bytes));
    return refusal;
  }

  private fetchKey(keyId: string): Promise<KeyObject | undefined> {
    const running = this.fetching.get(keyId);
    if (running !== undefined) return running;
    const fetched = this.fetchKeyOnce(keyId).finally(() => this.fetching.delete(keyId));
    this.fetching.set(keyId, fetched);
    return fetched;
  }

  private async fetchKeyOnce(keyId: string): Promise<KeyObject | undefined> {
    for (const address of keyOwnerCandidates(keyId)) {
      const actor = (await this.documentAt(address)) as
        | { publicKey?: { id?: unknown; publicKeyPem?: unknown } }
        | undefined;
      const { id, publicKeyPem } = actor?.publicKey ?? {};
      const key = id === keyId && typeof publicKeyPem === 'string' ? parsePublicKey(publicKeyPem) : undefined;
      if (key === undefined) continue;
      remember(this.keys, keyId, key);
      return key;
    }
    return undefined;
  }
}

function signatureOf({ headers }: SignedRequest): RequestSignature | undefined {
  const header = headers.get('signature');
  if (header === undefined) return undefined;
  const inputs = headers.get('signature-input');
  return inputs === undefined ? parseSignatureHeader(header) : parseMessageSignature(inputs, header);
}

function wayOf({ messageParameters, signedHeaders }: RequestSignature): SignedWay {
  if (messageParameters !== undefined) return 'rfc9421';
  return signedHeaders.every((name) => shareable.has(name)) ? 'for all' : 'for the host';
}

function refusalOf({ signedHeaders }: RequestSignature, way: SignedWay, demand: Demand): string | undefined {
  if (way === 'rfc9421')
    return signedHeaders.includes('content-digest') && signedHeaders.includes('@method')
      ? undefined
      : 'covers too little';
  if (demand === 'rfc9421') return 'draft-cavage is not taken';
  const has = (name: string) => signedHeaders.includes(name);
  if (!has('digest') || !(has('date') || has('(created)'))) return 'covers too little';
  return demand === 'own host' && !(has('host') && has('(request-target)')) ? 'does not name this host' : undefined;
}

function remember<Value>(map: Map<string, Value>, key: string, value: Value): void {
  if (map.size >= rememberedMax) map.delete(map.keys().next().value!);
  map.set(key, value);
}
