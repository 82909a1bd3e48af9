/** One visit of an app: requests at their moments since its beginning, in order of what they need from each other. */
import { markerOf } from '../marker.ts';
import type { Recorder } from '../run/recorder.ts';
import type { Client } from './client.ts';
import type { Pictures } from './picture.ts';
import type { SessionRequest } from './settings.ts';
import { fillJson, fillPath, keptValues, missingValue, type SessionValues } from './values.ts';

export interface SessionTools {
  readonly client: Client;
  readonly recorder: Recorder;
  readonly pictures: Pictures;
  /** Shared by all sessions. */
  readonly shared: SessionValues;
  readonly nextNumber: () => number;
  readonly random: () => number;
  readonly signal: AbortSignal;
}

/**
 * Settles when the last request was answered. A request whose predecessors are late waits for them, and is timed from its own
 * moment all the same; one that lacks a value, because a list was empty or a request failed, is counted as skipped.
 */
export async function runSession(
  requests: readonly SessionRequest[],
  { begunAt, token, endAt }: { readonly begunAt: number; readonly token: string | undefined; readonly endAt: number },
  tools: SessionTools,
): Promise<void> {
  const { recorder, random, signal, shared } = tools;
  let values: SessionValues = { ...shared };
  for (const moment of momentsOf(requests)) {
    const dueAt = begunAt + moment[0]!.at * 1_000;
    if (dueAt >= endAt || !(await isReached(dueAt, signal))) return;
    const answers = await Promise.all(
      moment.map(async (request) => {
        const missing = missingValue(request, { ...values, text: '' });
        if (missing !== undefined) {
          recorder.failed(request.name, dueAt, `skipped: no ${missing}`);
          return {};
        }
        const answer = await tools.client.send({ ...written(request, values, tools), token, dueAt });
        const isGood = answer !== undefined && answer.status < 300 && request.keep !== undefined;
        return isGood ? keptValues(request.keep, answer.body, random) : {};
      }),
    );
    values = Object.assign({}, values, ...answers);
  }
}

function written(request: SessionRequest, values: SessionValues, { pictures, nextNumber }: SessionTools) {
  const { name, get, post, json, picture } = request;
  if (get !== undefined) return { name, method: 'GET' as const, path: fillPath(get, values) };
  const path = fillPath(post!, values);
  if (picture !== undefined) return { name, method: 'POST' as const, path, ...pictures.form(picture, nextNumber()) };
  if (json === undefined) return { name, method: 'POST' as const, path };
  const filled = fillJson(json, { ...values, text: textOf(nextNumber()) });
  const body = Buffer.from(JSON.stringify(filled));
  return { name, method: 'POST' as const, path, body, contentType: 'application/json' };
}

/** As long as posts usually are. */
export function textOf(number: number): string {
  return `${markerOf(number)} Low water at six this morning, and the sandbank was out as far as the second marker. Three seals watched us launch as if we had come to ask them something. #tides`;
}

/** Requests of one moment are sent at once. */
function momentsOf(requests: readonly SessionRequest[]): SessionRequest[][] {
  return [...Map.groupBy(requests, ({ at }) => at)].toSorted(([one], [other]) => one - other).map(([, due]) => due);
}

/** False where the run ends before. */
function isReached(moment: number, signal: AbortSignal): Promise<boolean> {
  const left = moment - performance.now();
  if (signal.aborted || left <= 0) return Promise.resolve(!signal.aborted);
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      resolve(false);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', end);
      resolve(true);
    }, left);
    signal.addEventListener('abort', end, { once: true });
  });
}
