/** The poll of a post: its options, or the results. */
import type { PresentedStatus } from '../../../operations/presentation/presented-status.ts';
import type { Id } from '../../../runtime/ids.ts';
import type { Visit } from '../visit.ts';
import { type Html, html } from './html.ts';
import { storedText } from './stored.ts';
import { fullTime } from './time.ts';

const counted = new Intl.NumberFormat('en');

/**
 * Results are shown to those who have voted, to the author and to anonymous visitors. `place` is the id of the entry,
 * to return to.
 */
export function pollOf(visit: Visit, view: PresentedStatus, place: Id): Html | undefined {
  const { status, state } = view;
  const { poll } = status;
  if (poll === undefined) return undefined;
  const isOpen = view.tally?.isClosed !== true && (poll.expiresAt ?? Number.POSITIVE_INFINITY) > visit.now;
  const isVoter = visit.account !== undefined && visit.account.id !== status.accountId;
  const choices = state?.choices ?? [];
  const options = isVoter && isOpen && choices.length === 0 ? ballot(view, place) : results(view, isOpen, choices);
  return html`<div class="poll">${options}<p class="fine">${summary(view, isOpen)}</p></div>`;
}

/** The inputs belong to the form of the page: a unique name keeps polls apart. */
export function choiceName(statusId: Id): string {
  return `choice-${statusId}`;
}

function ballot({ status }: PresentedStatus, place: Id): Html {
  const { id, poll, emojis } = status;
  const type = poll?.multiple ? 'checkbox' : 'radio';
  const inputs = poll?.options.map(
    (option, index) =>
      html`<label class="choice"><input type="${type}" form="acts" name="${choiceName(id)}" value="${index}"> <span dir="auto">${storedText(option, emojis)}</span></label>`,
  );
  return html`<fieldset><legend class="unseen">Poll</legend>${inputs}</fieldset>
<button class="quiet" form="acts" formaction="/web/statuses/${id}/vote?at=${place}" data-changes>Vote</button>`;
}

function results({ status, tally }: PresentedStatus, isOpen: boolean, choices: readonly number[]): Html {
  const { poll, emojis } = status;
  if (poll === undefined) return html``;
  const votes = poll.options.map((_, index) => tally?.votes[index] ?? 0);
  const sum = votes.reduce((one, other) => one + other, 0);
  const people = Math.max(1, poll.multiple ? (tally?.voters ?? sum) : sum);
  const rows = poll.options.map((option, index) => {
    const share = Math.round((100 * votes[index]!) / people);
    const number = !(poll.hideTotals && isOpen) && html`<span class="share">${share}%</span>`;
    const mark = choices.includes(index) && html` <span class="badge">Your choice</span>`;
    return html`<li><p><span dir="auto">${storedText(option, emojis)}</span>${mark}${number}</p>${
      number && html`<meter min="0" max="100" value="${share}">${share}%</meter>`
    }</li>`;
  });
  return html`<ul>${rows}</ul>`;
}

function summary({ status, tally }: PresentedStatus, isOpen: boolean): Html {
  const { poll } = status;
  const votes = tally?.votes.reduce((one, other) => one + other, 0) ?? 0;
  const people = poll?.multiple ? tally?.voters : undefined;
  const count = people ?? votes;
  const noun = people === undefined ? (count === 1 ? 'vote' : 'votes') : count === 1 ? 'person' : 'people';
  const end = poll?.expiresAt !== undefined && html` · ${isOpen ? 'open until' : 'ended'} ${fullTime(poll.expiresAt)}`;
  const hidden = poll?.hideTotals === true && isOpen && ' · results are shown when it ends';
  return html`${counted.format(count)} ${noun}${end}${hidden}`;
}
