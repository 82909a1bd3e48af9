/** Cases of fedify.test.ts: what takes the consent of the author whom one quotes or answers. */
import {
  Accept,
  type Activity,
  type Object as ActivityObject,
  Create,
  Delete,
  InteractionPolicy,
  InteractionRule,
  Note,
  PUBLIC_COLLECTION,
  QuoteAuthorization,
  QuoteRequest,
  ReplyAuthorization,
  ReplyRequest,
  Update,
} from '@fedify/vocab';
import { expect, test } from 'vitest';
import type { FedifyServer } from '../support/fedify-server.ts';
import { until } from '../support/until.ts';

interface Status {
  readonly id: string;
  readonly uri: string;
  readonly in_reply_to_id: string | null;
  readonly replies_count: number;
  readonly quotes_count: number;
  readonly quote: { readonly state: string } | null;
  readonly reply_state?: string;
}

type Kind<Value extends Activity> = new (...values: never[]) => Value;

/** What the cases do as alice, who is here, and as remy, who is there. */
export interface ConsentBed {
  readonly remote: FedifyServer;
  readonly remy: { readonly actor: URL };
  aliceActor(): string;
  api<Value>(method: string, path: string, json?: unknown): Promise<Value>;
  post(status: string, more?: object): Promise<Status>;
  statusOf(status: { id: string }): Promise<Status>;
  becomes(status: { id: string }, expected: Partial<Status>): Promise<Status>;
  heard<Value extends Activity>(
    kind: Kind<Value>,
    fits?: (activity: Value, object: ActivityObject | undefined) => unknown,
  ): Promise<Value>;
  isAbout(uri: string): (activity: Activity) => boolean;
  own(): { readonly id: URL; readonly actor: URL };
  send<Value extends Activity>(activity: Value): Promise<Value>;
  note(html: string, more?: ConstructorParameters<typeof Note>[0]): Note;
  publish(published: Note): Promise<Status>;
  get(address: URL): Promise<Response>;
}

/** What remy does. */
export function withHerLeave(bed: () => ConsentBed): void {
  test('a quote, with her leave', async () => {
    const { post, note, send, own, heard, get, aliceActor, publish, becomes } = bed();
    const status = await post('Quote me', { quote_approval_policy: 'public' });
    const quoting = note('<p>She says</p>', { quote: new URL(status.uri) });
    await send(new QuoteRequest({ ...own(), object: new URL(status.uri), instrument: quoting }));
    const { resultId } = await heard(Accept, (accept) => accept.resultId);
    const authorization = await QuoteAuthorization.fromJsonLd(await (await get(resultId!)).json());
    expect(authorization).toMatchObject({
      interactingObjectId: quoting.id,
      interactionTargetId: new URL(status.uri),
      attributionId: new URL(aliceActor()),
    });
    const shown = await publish(quoting.clone({ quoteAuthorization: resultId }));
    expect(shown.quote).toMatchObject({ state: 'accepted' });
    await becomes(status, { quotes_count: 1 });
  });

  test('an answer, with her leave, until she takes it back', async () => {
    const { post, note, send, own, heard, get, aliceActor, becomes, api } = bed();
    const status = await post('Ask me', { reply_approval_policy: 'approved' });
    const answer = note('<p>May I?</p>', { replyTarget: new URL(status.uri) });
    await send(new ReplyRequest({ ...own(), object: new URL(status.uri), instrument: answer }));
    const request = await until(async () => {
      const waiting = await api<{ id: string; reply: Status }[]>('GET', 'interaction_requests');
      return waiting[0];
    });
    expect(request.reply).toMatchObject({ uri: answer.id!.href, reply_state: 'pending' });
    await becomes(status, { replies_count: 0 });
    await api('POST', `interaction_requests/${request.id}/authorize`);
    const isItsConsent = (accept: Accept) => accept.resultId?.pathname.includes('/reply_authorizations/');
    const { resultId } = await heard(Accept, isItsConsent);
    const authorization = await ReplyAuthorization.fromJsonLd(await (await get(resultId!)).json());
    expect(authorization).toMatchObject({
      interactingObjectId: answer.id,
      interactionTargetId: new URL(status.uri),
      attributionId: new URL(aliceActor()),
    });
    await becomes(status, { replies_count: 1 });
    await api('POST', `interaction_requests/${request.id}/reject`);
    await heard(Delete, bed().isAbout(resultId!.href));
    await becomes(status, { replies_count: 0 });
  });
}

/** What alice does. */
export function withRemysLeave(bed: () => ConsentBed): void {
  test('a quote, which remy allows', async () => {
    const { note, publish, post, heard, send, own, remote, remy, statusOf } = bed();
    const canQuote = new InteractionRule({ automaticApproval: PUBLIC_COLLECTION });
    const quoted = note('<p>Quote me</p>', { interactionPolicy: new InteractionPolicy({ canQuote }) });
    const { id } = await publish(quoted);
    const status = await post('He says', { quoted_status_id: id });
    const request = await heard(QuoteRequest, bed().isAbout(quoted.id!.href));
    expect(request.instrumentId?.href).toBe(status.uri);
    const authorization = new QuoteAuthorization({
      id: remote.newAddress('authorizations'),
      attribution: remy.actor,
      interactingObject: new URL(status.uri),
      interactionTarget: quoted.id,
    });
    await send(new Accept({ ...own(), object: request, result: remote.serve(authorization).id }));
    await until(async () => (await statusOf(status)).quote?.state === 'accepted');
    const told = await heard(Update, (_update, object) => object instanceof Note && object.id?.href === status.uri);
    expect((await told.getObject()) as Note).toMatchObject({
      quoteId: quoted.id,
      quoteAuthorizationId: authorization.id,
    });
  });

  test('an answer, which remy allows', async () => {
    const { note, publish, post, heard, send, own, remote, remy, becomes } = bed();
    const canReply = new InteractionRule({ automaticApprovals: [remy.actor], manualApproval: PUBLIC_COLLECTION });
    const limited = note('<p>Ask me</p>', { interactionPolicy: new InteractionPolicy({ canReply }) });
    const { id } = await publish(limited);
    const status = await post('May I?', { in_reply_to_id: id });
    expect(status).toMatchObject({ reply_state: 'pending' });
    const request = await heard(ReplyRequest, bed().isAbout(limited.id!.href));
    const instrument = (await request.getInstrument()) as Note;
    expect(instrument).toMatchObject({ replyTargetId: limited.id, toId: PUBLIC_COLLECTION });
    const authorization = new ReplyAuthorization({
      id: remote.newAddress('authorizations'),
      attribution: remy.actor,
      interactingObject: new URL(status.uri),
      interactionTarget: limited.id,
    });
    await send(new Accept({ ...own(), object: request, result: authorization.id }));
    await becomes(status, { in_reply_to_id: id });
    const told = await heard(Create, (_create, object) => object instanceof Note && object.id?.href === status.uri);
    expect((await told.getObject()) as Note).toMatchObject({ replyAuthorizationId: authorization.id });
  });
}
