/**
 * The cards of the pages of a host: fetched once for all statuses that link to a page, one page at a time, and kept for
 * as long as a status shows them.
 *
 * INVARIANTS
 * 1. A page that waits to be fetched is in the queue, and has a timer or follows the one under way.
 * 2. A card without statuses waits, is being fetched, or has a timer that forgets it.
 */
import type { BodyOf } from '../../../runtime/contract.ts';
import type { Turn } from '../../../runtime/partition/turn.ts';
import { Account } from '../../account/account.messages.ts';
import type { Card } from '../../account/cards/cards.records.ts';
import { Domain } from '../domain.messages.ts';
import { fetchCard } from './cards.effects.ts';
import { cardFetches, cardQueue, cardStatuses, cards, hasCardStatuses, type KeptCard } from './cards.state.ts';
import { cardLimits } from './limits.ts';

type DomainTurn = Turn<string>;

export function cardWanted(turn: DomainTurn, message: BodyOf<typeof Domain.cardWanted>): undefined {
  const { url, accountId, statusId, delayMilliseconds } = message;
  const known = turn.get(cards, [turn.self.key, url]);
  if (known !== undefined && isFresh(turn, known)) {
    if (known.card === undefined) return;
    turn.put(cardStatuses, [turn.self.key, url, statusId], { accountId });
    tellOfCard(turn, accountId, statusId, url, known.card);
    return;
  }
  if (!isUnderWay(known) && !enqueue(turn, known ?? newCard(turn, url), turn.now + delayMilliseconds)) return;
  turn.put(cardStatuses, [turn.self.key, url, statusId], { accountId, isWaiting: true });
  fetchNext(turn);
}

function newCard(turn: DomainTurn, url: string): KeptCard {
  return { url, freshUntil: turn.now };
}

function isFresh(turn: DomainTurn, known: KeptCard): boolean {
  return known.freshUntil > turn.now && !isUnderWay(known);
}

function isUnderWay(known: KeptCard | undefined): boolean {
  return known?.dueAt !== undefined || known?.isBeingFetched === true;
}

/** False where too many pages wait. */
function enqueue(turn: DomainTurn, card: KeptCard, dueAt: number): boolean {
  const fetches = fetchesOf(turn);
  if (fetches.waiting >= cardLimits.waitingMax) return false;
  turn.put(cards, [turn.self.key, card.url], { ...card, dueAt });
  turn.put(cardQueue, [turn.self.key, dueAt, card.url], { url: card.url });
  turn.put(cardFetches, [turn.self.key], { ...fetches, waiting: fetches.waiting + 1 });
  if (dueAt > turn.now) turn.schedule(dueAt, Domain.fetchCards.to(turn.self.key, {}));
  return true;
}

function fetchesOf(turn: DomainTurn) {
  return turn.get(cardFetches, [turn.self.key]) ?? { host: turn.self.key, waiting: 0 };
}

/** A page that no status waits for any more is not fetched. */
function fetchNext(turn: DomainTurn): void {
  for (let fetches = fetchesOf(turn); fetches.running === undefined; fetches = fetchesOf(turn)) {
    const [first] = turn.range(cardQueue, [turn.self.key], { limit: 1 });
    if (first === undefined) turn.delete(cardFetches, [turn.self.key]);
    if (first === undefined || first.key[1] > turn.now) return;
    const { url } = first.value;
    turn.delete(cardQueue, [turn.self.key, first.key[1], url]);
    const waiting = fetches.waiting - 1;
    const { dueAt: _dueAt, ...card } = turn.get(cards, [turn.self.key, url])!;
    const isWanted = hasCardStatuses(turn, url);
    turn.put(cardFetches, [turn.self.key], { ...fetches, waiting, ...(isWanted && { running: url }) });
    if (isWanted) {
      turn.put(cards, [turn.self.key, url], { ...card, isBeingFetched: true });
      turn.effect(fetchCard, { url }, Domain.cardFetched);
    } else keepOrForget(turn, card);
  }
}

export function fetchCards(turn: DomainTurn): undefined {
  fetchNext(turn);
}

/** Where another attempt fails, the card that there is stays. */
export function cardFetched(turn: DomainTurn, fetched: BodyOf<typeof Domain.cardFetched>): undefined {
  const { url, card, againMilliseconds = cardLimits.freshMilliseconds } = fetched;
  const { running: _running, ...fetches } = fetchesOf(turn);
  turn.put(cardFetches, [turn.self.key], fetches);
  const known = turn.get(cards, [turn.self.key, url]);
  if (known !== undefined) {
    const { isBeingFetched: _isBeingFetched, ...before } = known;
    const freshUntil = turn.now + againMilliseconds;
    const after = { ...before, ...(card !== undefined && { card }), freshUntil };
    turn.put(cards, [turn.self.key, url], after);
    turn.schedule(freshUntil, Domain.forgetCard.to(turn.self.key, { url }));
    inform(turn, after);
  }
  fetchNext(turn);
}

export function informOfCard(turn: DomainTurn, message: BodyOf<typeof Domain.informOfCard>): undefined {
  const known = turn.get(cards, [turn.self.key, message.url]);
  if (known !== undefined) inform(turn, known, message.afterStatusId);
}

function inform(turn: DomainTurn, { url, card }: KeptCard, afterStatusId = 0n): void {
  const { informedMax: limit } = cardLimits;
  const slice = [...turn.range(cardStatuses, [turn.self.key, url], { from: afterStatusId + 1n, limit })];
  for (const { key, value } of slice) {
    if (value.isWaiting !== true) continue;
    const [, , statusId] = key;
    if (card === undefined) turn.delete(cardStatuses, [turn.self.key, url, statusId]);
    else {
      turn.put(cardStatuses, [turn.self.key, url, statusId], { accountId: value.accountId });
      tellOfCard(turn, value.accountId, statusId, url, card);
    }
  }
  if (slice.length < limit) return;
  turn.tell(Domain.informOfCard.to(turn.self.key, { url, afterStatusId: slice.at(-1)!.key[2] }));
}

function tellOfCard(turn: DomainTurn, accountId: bigint, statusId: bigint, url: string, card: Card): void {
  turn.tell(Account.cardFound.to(accountId, { statusId, url, card }));
}

export function cardUnwanted(turn: DomainTurn, { url, statusId }: BodyOf<typeof Domain.cardUnwanted>): undefined {
  turn.delete(cardStatuses, [turn.self.key, url, statusId]);
  forgetIfOver(turn, url);
}

export function forgetCard(turn: DomainTurn, { url }: BodyOf<typeof Domain.forgetCard>): undefined {
  forgetIfOver(turn, url);
}

function forgetIfOver(turn: DomainTurn, url: string): void {
  const known = turn.get(cards, [turn.self.key, url]);
  if (known === undefined || isUnderWay(known) || known.freshUntil > turn.now || hasCardStatuses(turn, url)) return;
  turn.delete(cards, [turn.self.key, url]);
}

/** One that was not fetched because nobody waits for it. */
function keepOrForget(turn: DomainTurn, card: KeptCard): void {
  turn.put(cards, [turn.self.key, card.url], card);
  forgetIfOver(turn, card.url);
}
