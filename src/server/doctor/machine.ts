/** What the system allows: open files, memory, and the version of Node.js. */
import { readFileSync } from 'node:fs';
import { planMemory } from '../../options/memory.ts';
import { projectFile } from '../../options/project-files.ts';
import { planThreads } from '../../options/threads.ts';
import { adviceOnDescriptors, descriptorsAllowed } from '../file-descriptors.ts';
import { roleMemory, wantedThreads } from '../roles.ts';
import type { Examined } from './examined.ts';
import { type Finding, good, problem, reasonOf } from './findings.ts';

const megabyte = 1_048_576;
/** Above it the system begins to push out the pages of the database, and then ends the process. */
const memoryShareMax = 0.8;

/** `pid`: of the server, where it runs. */
export function checkDescriptors(pid: number | undefined): Finding[] {
  const count = descriptorsAllowed(limitsOf(pid));
  const which = pid === undefined ? 'this process' : 'the server';
  if (count === undefined) return [good('The system sets no limit, or does not tell it.')];
  if (adviceOnDescriptors(count) !== undefined) return [problem('fewDescriptors', { which, count })];
  return [good(`The system allows ${which} ${count} open files and connections.`)];
}

/** Undefined where the system does not tell. */
function limitsOf(pid: number | undefined): string | undefined {
  try {
    return pid === undefined ? undefined : readFileSync(`/proc/${pid}/limits`, 'utf8');
  } catch (error) {
    if (error instanceof Error) return undefined;
    throw error;
  }
}

export function checkMemory({ main, options, stored }: Examined): Finding[] {
  const partitions = typeof stored === 'object' ? stored.partitions : undefined;
  const available = Math.floor(main.memoryBytes / megabyte);
  try {
    const plan = planThreads(wantedThreads, options, main.cores, partitions);
    const planned = Math.ceil(planMemory(roleMemory, options, plan, main.memoryBytes).totalBytes / megabyte);
    if (planned > available * memoryShareMax) return [problem('memoryTooSmall', { planned, available })];
    return [good(`The server plans with ${planned} MB of ${available} MB.`)];
  } catch (error) {
    return [problem('memoryPlanImpossible', { sentence: reasonOf(error) })];
  }
}

export function checkNode(running = process.versions.node): Finding[] {
  const { dependencies } = JSON.parse(readFileSync(projectFile('package.json'), 'utf8')) as {
    dependencies: { node: string };
  };
  const pinned = dependencies.node;
  return [
    running === pinned ? good(`Node.js ${running}, as it should be.`) : problem('nodeOther', { running, pinned }),
  ];
}
