/** The poll of a post: its options, or the results. */
import type { PresentedStatus } from '../../../operations/presentation/presented-status.ts';
import type { Id } from '../../../runtime/ids.ts';
import { type Html, html } from '../../../services/words/html.ts';
import type { Visit } from '../visit.ts';
import { emojisOf, storedText } from './stored.ts';
import { fullTime } from './time.ts';

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
  const options =
    isVoter && isOpen && choices.length === 0 ? ballot(visit, view, place) : results(visit, view, isOpen, choices);
  return html`<div class="poll">${options}<p class="fine">${summary(visit, view, isOpen)}</p></div>`;
}

/** The inputs belong to the form of the page: a unique name keeps polls apart. */
export function choiceName(statusId: Id): string {
  return `choice-${statusId}`;
}

function ballot(visit: Visit, view: PresentedStatus, place: Id): Html {
  const { words } = visit;
  const { id, poll } = view.status;
  const written = emojisOf(view);
  const type = poll?.multiple ? 'checkbox' : 'radio';
  const inputs = poll?.options.map(
    (option, index) =>
      html`<label class="choice"><input type="${type}" form="acts" name="${choiceName(id)}" value="${index}"> <span dir="auto">${storedText(visit, option, written)}</span></label>`,
  );
  return html`<fieldset><legend class="unseen">${words.posts.poll.title}</legend>${inputs}</fieldset>
<button class="quiet" form="acts" formaction="/web/statuses/${id}/vote?at=${place}" data-changes>${words.posts.poll.vote}</button>`;
}

function results(visit: Visit, view: PresentedStatus, isOpen: boolean, choices: readonly number[]): Html {
  const { words } = visit;
  const { tally } = view;
  const { poll } = view.status;
  const written = emojisOf(view);
  if (poll === undefined) return html``;
  const votes = poll.options.map((_, index) => tally?.votes[index] ?? 0);
  const sum = votes.reduce((one, other) => one + other, 0);
  const people = Math.max(1, poll.multiple ? (tally?.voters ?? sum) : sum);
  const rows = poll.options.map((option, index) => {
    const share = Math.round((100 * votes[index]!) / people);
    const shown = words.formats.share(share / 100);
    const number = !(poll.hideTotals && isOpen) && html`<span class="share">${shown}</span>`;
    const mark = choices.includes(index) && html` <span class="badge">${words.posts.poll.yourChoice}</span>`;
    return html`<li><p><span dir="auto">${storedText(visit, option, written)}</span>${mark}${number}</p>${
      number && html`<meter min="0" max="100" value="${share}">${shown}</meter>`
    }</li>`;
  });
  return html`<ul>${rows}</ul>`;
}

function summary(visit: Visit, { status, tally }: PresentedStatus, isOpen: boolean): Html {
  const { poll } = status;
  const words = visit.words.posts.poll;
  const voters = poll?.multiple ? tally?.voters : undefined;
  const votes = tally?.votes.reduce((one, other) => one + other, 0) ?? 0;
  const count = voters === undefined ? words.votes({ count: votes }) : words.voters({ count: voters });
  const end = poll?.expiresAt !== undefined && endOf(visit, poll.expiresAt, isOpen);
  const hidden = poll?.hideTotals === true && isOpen && html` · ${words.resultsLater}`;
  return html`${count}${end}${hidden}`;
}

function endOf(visit: Visit, expiresAt: number, isOpen: boolean): Html {
  const { openUntil, ended } = visit.words.posts.poll;
  const time = fullTime(visit, expiresAt);
  return html` · ${isOpen ? openUntil({ time }) : ended({ time })}`;
}
