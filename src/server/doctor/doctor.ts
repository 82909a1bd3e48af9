/**
 * `murmuration doctor`: looks at everything around the server that others can get wrong, beside a running server or without
 * one. Changes nothing. Each check has a time of its own, so that one that waits for a machine holds up no other.
 */
import { resolve } from 'node:path';
import { DoctorInput } from '../../gateway/operator/admin/requests.ts';
import type { OptionsError } from '../../options/load.ts';
import type { Options } from '../../options/table.ts';
import { SelfCheckReport, selfCheckPath } from '../../services/self-check.ts';
import type { MainInput } from '../main-input.ts';
import { checkNames, checkReach } from './addresses.ts';
import { ask } from './ask.ts';
import { checkCertificate } from './certificate.ts';
import { checkClock } from './clock.ts';
import { checkConfiguration } from './configuration.ts';
import { checkDisk } from './disk.ts';
import { askServer, type Examined, originOf, type Served } from './examined.ts';
import { checkFederation } from './federation.ts';
import { type CheckedFinding, type Finding, problem, reasonOf, skipped } from './findings.ts';
import { checkKeys } from './keys.ts';
import { checkDescriptors, checkMemory, checkNode } from './machine.ts';
import { checkProxy, jsonOf } from './proxy.ts';
import { checkRetention } from './retention.ts';
import { checkBuckets, checkCluster, checkMail, checkPush, checkTranslation } from './services.ts';
import { readStored } from './stored.ts';

interface Check {
  readonly name: string;
  /** Asks the running server. */
  readonly needsServer?: true;
  readonly seconds?: number;
  run(examined: Examined, signal: AbortSignal): Finding[] | Promise<Finding[]>;
}

const defaultSeconds = 10;
const mailSeconds = 20;

const ofServer =
  (run: (served: Served, signal: AbortSignal) => Promise<Finding[]>): Check['run'] =>
  (examined, signal) => {
    const { stored, options } = examined;
    if (typeof stored !== 'object' || stored.secrets === undefined)
      return [skipped('What the server stores cannot be read.')];
    return run({ origin: originOf(examined), secrets: stored.secrets, options }, signal);
  };

/** In the order of the report. */
export const checks: readonly Check[] = [
  { name: 'configuration', run: checkConfiguration },
  { name: 'names', run: checkNames },
  { name: 'reachability', needsServer: true, run: checkReach },
  { name: 'certificate', needsServer: true, run: checkCertificate },
  { name: 'clock', run: checkClock },
  { name: 'disk', run: checkDisk },
  { name: 'retention', run: checkRetention },
  { name: 'keys', run: checkKeys },
  { name: 'proxy', needsServer: true, run: ofServer(checkProxy) },
  { name: 'federation', needsServer: true, run: ofServer(checkFederation) },
  { name: 'mail', seconds: mailSeconds, run: checkMail },
  { name: 'bucket', run: checkBuckets },
  { name: 'translation', run: checkTranslation },
  { name: 'push', run: checkPush },
  { name: 'open files', run: async (examined, signal) => checkDescriptors(await pidOf(examined, signal)) },
  { name: 'memory', run: checkMemory },
  { name: 'node', run: () => checkNode() },
  { name: 'cluster', run: checkCluster },
];

/** Undefined where it does not run, or is not reached. */
async function pidOf(examined: Examined, signal: AbortSignal): Promise<number | undefined> {
  const { stored, isRunning } = examined;
  if (!isRunning || typeof stored !== 'object' || stored.secrets === undefined) return undefined;
  try {
    const reply = await askServer({ origin: originOf(examined), secrets: stored.secrets }, selfCheckPath, { signal });
    return SelfCheckReport.safeParse(jsonOf(reply.body)).data?.pid;
  } catch (error) {
    if (error instanceof Error) return undefined;
    throw error;
  }
}

export interface Told {
  readonly ok: boolean;
  readonly lines: readonly string[];
}

/** Never rejects because of what it finds. `ok`: nothing is wrong, though there may be warnings. */
export async function examine(main: MainInput, options: Options, given: unknown, signal: AbortSignal): Promise<Told> {
  const { clocks, json } = DoctorInput.parse(given);
  const folder = resolve(options.dataDirectory);
  const examined = { main, options, folder, clocks, ...(await readWithKeys(options, signal)) };
  const results = await Promise.all(checks.map((check) => runCheck(check, examined, signal)));
  return told(results.flat(), json);
}

/** A server that nobody has asked anything yet makes its keys for the first who asks for its actor. */
async function readWithKeys(options: Options, signal: AbortSignal): Promise<Awaited<ReturnType<typeof readStored>>> {
  const read = await readStored(options);
  if (!read.isRunning || typeof read.stored !== 'object' || read.stored.secrets !== undefined) return read;
  try {
    const url = new URL('/actor', originOf({ options, stored: read.stored }));
    await ask({ url, signal: AbortSignal.any([signal, AbortSignal.timeout(defaultSeconds * 1_000)]) });
  } catch (error) {
    // What is wrong with the address is found by the checks.
    if (!(error instanceof Error)) throw error;
  }
  return await readStored(options);
}

/** Of a configuration with which nothing else can be looked at. */
export function examineRefusal({ problems }: OptionsError, json: boolean): Told {
  const findings = problems.map((sentence) => problem('optionInvalid', { sentence }));
  return told(
    findings.map((finding) => ({ check: 'configuration', ...finding })),
    json,
  );
}

async function runCheck(check: Check, examined: Examined, ended: AbortSignal): Promise<CheckedFinding[]> {
  const { name, needsServer, seconds = defaultSeconds, run } = check;
  const named = (findings: readonly Finding[]) => findings.map((finding) => ({ check: name, ...finding }));
  if (needsServer === true && !examined.isRunning) return named([skipped('This check needs the server to run.')]);
  const deadline = AbortSignal.timeout(seconds * 1_000);
  const signal = AbortSignal.any([deadline, ended]);
  const late = new Promise<'late'>((settle) => {
    if (signal.aborted) settle('late');
    else signal.addEventListener('abort', () => settle('late'), { once: true });
  });
  try {
    const result = await Promise.race([run(examined, signal), late]);
    ended.throwIfAborted();
    return named(result === 'late' ? [problem('checkTooSlow', { seconds })] : result);
  } catch (error) {
    ended.throwIfAborted();
    if (deadline.aborted) return named([problem('checkTooSlow', { seconds })]);
    return named([problem('checkFailed', { reason: reasonOf(error) })]);
  }
}

const marks: Readonly<Record<Finding['grade'], string>> = {
  good: 'ok  ',
  skipped: '-   ',
  warning: 'warn',
  wrong: 'FAIL',
};

function told(findings: readonly CheckedFinding[], json: boolean): Told {
  const count = (grade: Finding['grade']) => findings.filter((finding) => finding.grade === grade).length;
  const [wrong, warnings] = [count('wrong'), count('warning')];
  const ok = wrong === 0;
  if (json) return { ok, lines: [JSON.stringify({ ok, wrong, warnings, findings })] };
  return { ok, lines: [...findings.flatMap(linesOf), summary(wrong, warnings)] };
}

function linesOf({ check, grade, said, means, todo }: CheckedFinding): string[] {
  return [
    `${marks[grade]} ${check}: ${said}`,
    ...(means === undefined ? [] : [`       What it means: ${means}`]),
    ...(todo === undefined ? [] : [`       What to do: ${todo}`]),
  ];
}

function summary(wrong: number, warnings: number): string {
  if (wrong + warnings === 0) return 'Nothing is wrong.';
  return `Wrong: ${wrong}. Warnings: ${warnings}.`;
}
