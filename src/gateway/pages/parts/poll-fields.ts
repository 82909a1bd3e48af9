/** The fields of a poll in the form of a post. */
import { pollLimits } from '../../../actors/account/polls/limits.ts';
import type { Poll } from '../../../actors/account/polls/polls.records.ts';
import { type Html, html } from '../../../services/words/html.ts';
import { type Fields, hidden } from '../../oauth/forms.ts';
import type { Visit } from '../visit.ts';
import { icon } from './icons.ts';
import { fullTime } from './time.ts';

export interface PollDraft {
  readonly options: readonly string[];
  readonly multiple: boolean;
  readonly hideTotals: boolean;
  /** Undefined keeps the current end. */
  readonly expiresInSeconds: number | undefined;
  /** Of an edited poll. */
  readonly endsAt?: number | undefined;
}

/** As sentences. */
export interface PollProblems {
  readonly pollOptions?: string;
  readonly pollExpiresAt?: string;
}

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

const durationsSeconds = [5 * minute, 30 * minute, hour, 6 * hour, day, 3 * day, 7 * day, 30 * day];

const noPoll: PollDraft = { options: [], multiple: false, hideTotals: false, expiresInSeconds: day };

export function pollOfStatus({ options, multiple, hideTotals, expiresAt }: Poll): PollDraft {
  return { options, multiple, hideTotals, expiresInSeconds: undefined, endsAt: expiresAt };
}

/** For a new poll with the same answers, which is open for about as long. */
export function pollAgain({ options, multiple, hideTotals, expiresAt }: Poll, createdAt: number): PollDraft {
  const seconds = ((expiresAt ?? createdAt) - createdAt) / 1_000;
  return { options, multiple, hideTotals, expiresInSeconds: durationsSeconds.findLast((one) => one <= seconds) ?? day };
}

/** `isEdit`: changing the options removes the votes. */
export function pollFields(visit: Visit, draft: PollDraft | undefined, isEdit: boolean, problems: PollProblems): Html {
  const words = visit.words.writing.poll;
  const { options, multiple, hideTotals } = draft ?? noPoll;
  const { pollOptions: problem } = problems;
  const described = problem !== undefined && html` aria-describedby="poll-options-problem" aria-invalid="true"`;
  const rows = Array.from({ length: Math.max(pollLimits.optionsMax, options.length) }, (_, index) => {
    const label = words.answer({ number: index + 1 });
    const hint = index < pollLimits.optionsMin ? label : words.furtherAnswer({ number: index + 1 });
    return html`<input name="poll_option" dir="auto" value="${options[index] ?? ''}" aria-label="${label}" placeholder="${hint}"${described}>`;
  });
  const isOpen = options.length > 0 || draft?.endsAt !== undefined;
  return html`<details data-extra${isOpen && html` open`}><summary class="button quiet">${icon('poll')}${words.title}</summary>
<fieldset class="poll-fields"><legend class="unseen">${words.title}</legend>${hidden('poll', '1')}
${rows}
${problem !== undefined && html`<p class="wrong" id="poll-options-problem">${problem}</p>`}
${duration(visit, draft ?? noPoll, problems)}
${choice('poll_multiple', multiple, words.multiple)}
${choice('poll_hide_totals', hideTotals, words.hideTotals)}
${isEdit && html`<p class="fine">${words.editHint}</p>`}</fieldset></details>`;
}

function duration(
  visit: Visit,
  { expiresInSeconds, endsAt }: PollDraft,
  { pollExpiresAt: problem }: PollProblems,
): Html {
  const words = visit.words.writing.poll;
  const described = problem !== undefined && html` aria-describedby="poll-end-problem" aria-invalid="true"`;
  const choices = durationsSeconds.map((seconds) => {
    const duration = visit.words.formats.duration(1_000 * seconds);
    const label = endsAt === undefined ? duration : words.fromNow({ duration });
    return html`<option value="${seconds}"${seconds === expiresInSeconds && html` selected`}>${label}</option>`;
  });
  return html`<label>${words.openFor} <select name="poll_expires_in"${described}>${
    endsAt !== undefined && html`<option value="">${words.asItWas}</option>`
  }${choices}</select></label>
${endsAt !== undefined && html`<p class="fine">${words.endsAt({ time: fullTime(visit, endsAt) })}</p>`}
${problem !== undefined && html`<p class="wrong" id="poll-end-problem">${problem}</p>`}`;
}

function choice(name: string, isOn: boolean, label: string): Html {
  return html`<label class="choice"><input type="checkbox" name="${name}" value="1"${isOn && html` checked`}> <span>${label}</span></label>`;
}

/** Undefined where the form contains no poll: it has none, or its part was closed. */
export function pollIn(fields: Fields, endsAt?: number): PollDraft | undefined {
  if (fields.get('poll') === undefined) return undefined;
  const seconds = fields.get('poll_expires_in');
  return {
    options: fields.all('poll_option'),
    multiple: fields.get('poll_multiple') !== undefined,
    hideTotals: fields.get('poll_hide_totals') !== undefined,
    expiresInSeconds: seconds === undefined || !/^\d{1,9}$/.test(seconds) ? undefined : Number(seconds),
    endsAt,
  };
}

/** Undefined for one without options. */
export function writtenPoll(draft: PollDraft | undefined, now: number) {
  if (draft === undefined || draft.options.length === 0) return undefined;
  const { options, multiple, hideTotals, endsAt } = draft;
  const expiresInSeconds = draft.expiresInSeconds ?? (endsAt === undefined ? undefined : (endsAt - now) / 1_000);
  return { options: [...options], multiple, hideTotals, expiresInSeconds };
}

/** Whether nothing of it was changed. */
export function isSamePoll(draft: PollDraft, poll: Poll): boolean {
  const { options, multiple, hideTotals, expiresInSeconds } = draft;
  return (
    expiresInSeconds === undefined &&
    multiple === poll.multiple &&
    hideTotals === poll.hideTotals &&
    options.length === poll.options.length &&
    options.every((option, index) => option === poll.options[index])
  );
}
