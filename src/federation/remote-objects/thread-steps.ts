/**
 * Fetches threads step by step, politely: one request at a time to a host, with a pause after each. A status is taken from
 * its own host only, whoever names it; what it says it answers, and the replies that its host names, are further steps.
 */
import { Account } from '../../actors/account/account.messages.ts';
import { findStatusRecord } from '../../actors/account/remote/federation.queries.ts';
import type { Status } from '../../actors/account/statuses/statuses.records.ts';
import { repliesTo } from '../../actors/account/statuses/threads.queries.ts';
import { threadLimits } from '../../actors/domain/threads/limits.ts';
import type { FoundStep, ThreadStepped, ThreadStepRequest } from '../../actors/domain/threads/threads.messages.ts';
import { isOfTheMoment } from '../../outbound/fetcher/fetch-result.ts';
import type { Fetcher } from '../../outbound/fetcher/fetcher.ts';
import type { JsonObject } from '../../outbound/fetcher/json.ts';
import { traced } from '../../runtime/flow.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Problem } from '../../runtime/ports.ts';
import { flowOfHost } from '../../services/services.ts';
import type { Inbound } from '../activities/inbound.ts';
import { findRecord } from '../activities/resolve-status.ts';
import { type RemoteNote, readNote } from '../documents/read-note.ts';
import { readReplies } from '../documents/read-replies.ts';
import { hostOf } from '../documents/values.ts';
import { ignoreFailure, mayPass } from '../failures.ts';
import { fetchActivityDocument } from '../fetch-activity-document.ts';
import { activityLimits } from '../limits.ts';
import { attachToParent } from './attach-to-parent.ts';
import type { SignerOf } from './fetch-signers.ts';
import { HostTurns } from './host-turns.ts';
import type { RemoteStatuses } from './remote-statuses.ts';

/** What a step led to. */
export const threadOutcomes = ['stored', 'known', 'page', 'nothing', 'failed', 'busy', 'blocked'] as const;
export type ThreadOutcome = (typeof threadOutcomes)[number];

export interface ThreadStepsOptions {
  readonly inbound: Inbound;
  readonly fetcher: Fetcher;
  readonly statuses: RemoteStatuses;
  readonly signer: SignerOf;
  readonly pauseMilliseconds: number;
  report(problem: Problem): void;
  count?(outcome: ThreadOutcome): void;
}

interface Step extends Pick<ThreadStepped, 'found' | 'stored' | 'moreRequests'> {
  readonly outcome: ThreadOutcome;
}

const none = { found: [], stored: 0, moreRequests: 0 };
/** An author who was not known: the actor, and its handle. */
const requestsOfAuthor = 2;

export class ThreadSteps {
  private readonly options: ThreadStepsOptions;
  private readonly turns = new HostTurns({ runningMax: activityLimits.threadStepsAtOnceMax, perHostMax: 1 });

  constructor(options: ThreadStepsOptions) {
    this.options = options;
  }

  /** Never rejects. */
  async run(request: ThreadStepRequest, cause?: string): Promise<ThreadStepped> {
    const { statusId, startedAt, step } = request;
    const taken = await this.inTurn(request, cause);
    this.options.count?.(taken.outcome);
    const { outcome, ...what } = taken;
    const isSaid = outcome === 'failed' || outcome === 'busy' || outcome === 'blocked';
    return { statusId, startedAt, step, outcome: isSaid ? outcome : 'done', ...what };
  }

  private async inTurn(request: ThreadStepRequest, cause: string | undefined): Promise<Step> {
    const { inbound, report } = this.options;
    const { host: opened, step } = request;
    const host = hostOf(step.url);
    if (inbound.policy().isSuspended(opened)) return { ...none, outcome: 'blocked' };
    if (host === undefined || inbound.policy().isSuspended(host)) return { ...none, outcome: 'nothing' };
    if (this.turns.waitingFor(host) >= activityLimits.threadStepsWaitingPerHostMax) return { ...none, outcome: 'busy' };
    await this.turns.enter(host);
    try {
      return await (step.kind === 'page' ? this.page(request) : this.status(request, cause));
    } catch (error) {
      if (!mayPass(error)) report({ level: 'error', message: `a thread at ${host} could not be fetched`, error });
      return { ...none, outcome: 'failed' };
    } finally {
      this.leave(host);
    }
  }

  private leave(host: string): void {
    const { pauseMilliseconds } = this.options;
    if (pauseMilliseconds === 0) this.turns.leave(host);
    else setTimeout(() => this.turns.leave(host), pauseMilliseconds).unref();
  }

  private async page({ step }: ThreadStepRequest): Promise<Step> {
    const { fetcher, signer } = this.options;
    const fetched = await fetchActivityDocument(fetcher, { url: step.url, signer: await signer() });
    if (!fetched.ok) return { ...none, outcome: isOfTheMoment(fetched) ? 'failed' : 'nothing' };
    return { ...none, outcome: 'page', found: this.repliesIn(fetched.document, step) };
  }

  private async status({ step }: ThreadStepRequest, cause: string | undefined): Promise<Step> {
    const { inbound, fetcher, signer, statuses } = this.options;
    const fetched = await fetchActivityDocument(fetcher, { url: step.url, signer: await signer() });
    if (!fetched.ok) {
      if (fetched.kind === 'gone') await this.gone(step.url, cause);
      return { ...none, outcome: isOfTheMoment(fetched) ? 'failed' : 'nothing' };
    }
    const note = readNote(fetched.document);
    if (note === undefined || inbound.policy().isSuspended(hostOf(note.uri))) return { ...none, outcome: 'nothing' };
    const moreRequests = inbound.accounts.find(note.authors[0]!) === undefined ? requestsOfAuthor : 0;
    const isNew = await statuses.take(note, cause);
    const record = findRecord(inbound, note.uri);
    if (record === undefined) return { ...none, moreRequests, outcome: 'nothing' };
    if (step.answeredBy !== undefined) await this.attach(step.answeredBy, note.uri, cause);
    const found = [...(await this.above(record, note, step, cause)), ...this.below(record, fetched.document, step)];
    return { outcome: isNew ? 'stored' : 'known', stored: isNew ? 1 : 0, moreRequests, found };
  }

  /** What the status answers, where that is still unknown. */
  private async above(
    record: Status,
    note: RemoteNote,
    { kind, depth }: ThreadStepRequest['step'],
    cause: string | undefined,
  ): Promise<FoundStep[]> {
    const { inbound, statuses } = this.options;
    const { inReplyTo: url } = note;
    if (record.answersUnknown !== true || url === undefined || inbound.addresses.isLocal(url)) return [];
    const [source, flow] = [statuses.source({ cause }), flowOfHost(hostOf(note.uri)!)];
    if (await attachToParent(inbound, record, { parentUri: url, note, source, flow })) return [];
    const isUnknown = findRecord(inbound, url) === undefined;
    const above = kind === 'ancestor' ? depth + 1 : 1;
    return isUnknown ? [{ kind: 'ancestor', url, depth: above, answeredBy: note.uri }] : [];
  }

  private async attach(answerUri: string, parentUri: string, cause: string | undefined): Promise<void> {
    const { inbound, statuses } = this.options;
    const answer = findRecord(inbound, answerUri);
    if (answer?.answersUnknown !== true) return;
    const [source, flow] = [statuses.source({ cause }), flowOfHost(hostOf(answerUri) ?? '')];
    await attachToParent(inbound, answer, { parentUri, source, flow });
  }

  /** What its host names as replies, and what is known here to answer it. */
  private below(record: Status, { replies }: JsonObject, step: ThreadStepRequest['step']): FoundStep[] {
    if (step.kind !== 'status') return [];
    const named = this.found(replies, record.uri ?? step.url, step);
    return [...named, ...this.knownAnswers(record.id, step.depth + 1)].slice(0, threadLimits.foundMax);
  }

  private repliesIn(page: JsonObject, step: ThreadStepRequest['step']): FoundStep[] {
    return this.found(page, step.url, step);
  }

  private found(collection: JsonObject[string], host: string, step: ThreadStepRequest['step']): FoundStep[] {
    const { ids, next } = readReplies(collection, host, threadLimits.foundMax - 1);
    const depth = step.kind === 'page' ? step.depth : step.depth + 1;
    const page: FoundStep[] =
      next === undefined ? [] : [{ kind: 'page', url: next, depth, page: (step.page ?? 0) + 1 }];
    return [...page, ...ids.flatMap((url) => this.answer(url, depth))];
  }

  /** A status that is named as an answer. One of this server is asked for nothing: its answers are known as far as they are. */
  private answer(url: string, depth: number): FoundStep[] {
    const { inbound } = this.options;
    const record = findRecord(inbound, url);
    if (inbound.addresses.isLocal(url)) return record === undefined ? [] : this.knownAnswers(record.id, depth + 1);
    if (hostOf(url) === undefined || record?.reblogOfId !== undefined) return [];
    return [{ kind: 'status', url, depth, ...(record !== undefined && { isKnown: true }) }];
  }

  private knownAnswers(statusId: Id, depth: number): FoundStep[] {
    const found: FoundStep[] = [];
    const open = [{ statusId, depth }];
    const seen = new Set<Id>();
    for (let next = open.pop(); next !== undefined && seen.size < threadLimits.foundMax; next = open.pop()) {
      seen.add(next.statusId);
      for (const id of repliesTo(this.options.inbound.snapshots, next.statusId, { limit: threadLimits.foundMax })) {
        const reply = findStatusRecord(this.options.inbound.snapshots, id);
        if (reply?.uri !== undefined) found.push({ kind: 'status', url: reply.uri, depth: next.depth, isKnown: true });
        else if (reply !== undefined && !seen.has(id)) open.push({ statusId: id, depth: next.depth + 1 });
      }
    }
    return found;
  }

  /** Its own host says that it is deleted. */
  private async gone(uri: string, cause: string | undefined): Promise<void> {
    const { inbound } = this.options;
    const known = findRecord(inbound, uri);
    if (known?.uri === undefined) return;
    const message = Account.receiveDelete.to(known.accountId, { uri: known.uri });
    await inbound.client.call(message, traced(flowOfHost(hostOf(uri) ?? ''), cause)).catch(ignoreFailure);
  }
}
