/** Whether NATS servers keep what a log needs, and the streams of logs. */
import { setTimeout } from 'node:timers/promises';
import type { NatsConnection } from '@nats-io/transport-node';
import { z } from 'zod';
import type { NatsClient } from './nats-access.ts';

const minimumVersion = { major: 2, minor: 12 } as const;
/** How long answers of several servers are collected. */
const surveyMilliseconds = 2_000;
const surveyPauseMilliseconds = 400;
const surveysMax = 3;
const surveySubject = '$SYS.REQ.SERVER.PING.VARZ';

const Survey = z.object({
  server: z.object({ name: z.string(), ver: z.string() }),
  data: z.object({
    jetstream: z.object({ config: z.object({ sync_always: z.boolean().optional() }).optional() }).optional(),
  }),
});
type Survey = z.infer<typeof Survey>;

/** Of so many replicas: without the others a log goes on. */
export function majorityOf(replicas: number): number {
  return Math.floor(replicas / 2) + 1;
}

/**
 * Every server that runs is new enough and flushes each record to its disk before it confirms it, and there are enough of
 * them: `needed`, where a log has its replicas already. Throws an Error with a sentence for the operator.
 */
export async function assertServersKeep(
  { connection }: Pick<NatsClient, 'connection'>,
  replicas: number,
  needed = replicas,
): Promise<void> {
  const { version = '0' } = connection.info ?? {};
  if (!isNewEnough(version)) throw tooOld(connection.getServer(), version);
  const answers = await surveyAgain(connection);
  if (answers.length === 0)
    throw new Error(
      `The NATS servers do not tell whether they flush what they confirm. The account of this server has to import the service ${surveySubject} from the system account (docs/cluster/README.md).`,
    );
  const keeping = answers.filter(({ data }) => data.jetstream?.config !== undefined);
  for (const { server, data } of keeping) {
    if (!isNewEnough(server.ver)) throw tooOld(server.name, server.ver);
    if (data.jetstream?.config?.sync_always !== true)
      throw new Error(
        `The NATS server ${server.name} confirms what a power failure would take away: set sync_interval: always in the section jetstream of its configuration, and start it again.`,
      );
  }
  if (keeping.length < needed) {
    const wanted = needed === replicas ? 'is to have' : 'goes on with';
    throw new Error(
      `Each log ${wanted} ${needed} of ${replicas} replicas, and ${keeping.length} NATS servers with JetStream answer.`,
    );
  }
}

/** Nobody answers on a connection that is just made anew, or where all are busy. */
async function surveyAgain(connection: NatsConnection): Promise<Survey[]> {
  for (let times = 1; times < surveysMax; times += 1) {
    const answers = await survey(connection);
    if (answers.length > 0) return answers;
    await setTimeout(surveyPauseMilliseconds);
  }
  return await survey(connection);
}

async function survey(connection: NatsConnection): Promise<Survey[]> {
  const options = { strategy: 'stall', maxWait: surveyMilliseconds, stall: surveyPauseMilliseconds } as const;
  const answers: Survey[] = [];
  try {
    for await (const message of await connection.requestMany(surveySubject, '', options)) {
      const { data } = Survey.safeParse(message.json());
      if (data !== undefined) answers.push(data);
    }
  } catch (error) {
    // Nobody answers where the account does not import the service.
    if (!(error instanceof Error)) throw error;
  }
  return answers;
}

function isNewEnough(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > minimumVersion.major || (major === minimumVersion.major && minor >= minimumVersion.minor);
}

function tooOld(server: string, version: string): Error {
  return new Error(
    `The NATS server ${server} has version ${version}; at least ${minimumVersion.major}.${minimumVersion.minor} is needed.`,
  );
}

export function streamOfPartition(partition: number): { readonly name: string; readonly subject: string } {
  return { name: `murmuration-log-${partition}`, subject: `murmuration.log.${partition}` };
}

/** Nothing leaves the stream by itself, nobody deletes single records, and a full one refuses. */
function streamConfiguration(partition: number, replicas: number) {
  const { name, subject } = streamOfPartition(partition);
  return {
    name,
    subjects: [subject],
    num_replicas: replicas,
    storage: 'file',
    retention: 'limits',
    discard: 'new',
    max_age: 0,
    max_msgs: -1,
    deny_delete: true,
    allow_direct: false,
  } as const;
}

/** Creates the stream of a partition; one that is there is removed first. */
export async function createStream({ manager }: NatsClient, partition: number, replicas: number): Promise<void> {
  const { streams } = manager;
  const configuration = streamConfiguration(partition, replicas);
  const found = await streams.info(configuration.name).catch((error: unknown) => absent(error));
  if (found !== undefined) await streams.delete(configuration.name);
  await streams.add({ ...configuration, subjects: [...configuration.subjects] });
}

export async function hasStream({ manager }: NatsClient, partition: number): Promise<boolean> {
  const { name } = streamOfPartition(partition);
  return (await manager.streams.info(name).catch((error: unknown) => absent(error))) !== undefined;
}

/** The stream of a partition is there and keeps what it takes. Throws an Error with a sentence. */
export async function assertStreamKeeps({ manager }: NatsClient, partition: number, replicas: number): Promise<void> {
  const { streams } = manager;
  const { name, ...wanted } = streamConfiguration(partition, replicas);
  const found = await streams.info(name).catch((error: unknown) => absent(error));
  if (found === undefined) throw new Error(`The stream ${name} is missing.`);
  const config: Readonly<Record<string, unknown>> = { ...found.config };
  const { subjects, ...plain } = wanted;
  const other = Object.entries(plain).find(([field, value]) => config[field] !== value);
  if (other !== undefined)
    throw new Error(`The stream ${name} has ${other[0]} ${String(config[other[0]])}, not ${other[1]}.`);
  const isAsynchronous =
    config.persist_mode !== undefined && config.persist_mode !== 'default' && config.persist_mode !== '';
  if (
    String(config.subjects) !== String(subjects) ||
    isAsynchronous ||
    config.mirror !== undefined ||
    config.sources !== undefined
  )
    throw new Error(`The stream ${name} was changed: it is no log any more.`);
}

function absent(error: unknown): undefined {
  if (error instanceof Error && error.name === 'StreamNotFoundError') return undefined;
  throw error;
}
