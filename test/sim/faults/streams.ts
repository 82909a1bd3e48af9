/** Faults of logs that are on other machines. */
import type { PlantedFault } from './fault.ts';

const log = 'src/runtime/cluster/stream-log.ts';
const viewChain = 'src/runtime/cluster/chain-of-view.ts';
const patience = 'src/runtime/cluster/patience.ts';
const chain = 'src/runtime/cluster/chain.ts';
const records = 'src/runtime/cluster/stream-record.ts';
const view = 'src/runtime/cluster/view.ts';
const stream = 'src/runtime/cluster/nats-stream.ts';
const servers = 'src/runtime/cluster/nats-servers.ts';
const steps = 'test/runtime/cluster/stream-log.test.ts';
const real = 'test/runtime/cluster/nats.test.ts';
const examination = 'src/runtime/cluster/examination.ts';
const examinations = 'test/runtime/cluster/examination.test.ts';
const kept = 'src/runtime/cluster/kept-records.ts';
const nodes = 'test/sim/cluster/cluster.test.ts';

const fault = (
  name: string,
  file: string,
  original: string,
  replacement: string,
  foundBy: string = steps,
): PlantedFault => ({ name, kind: 'streams', file, original, replacement, foundBy });

export const faultsOfStreams: readonly PlantedFault[] = [
  fault(
    'an append completes before the stream has confirmed it',
    log,
    'this.queue.push(...added);',
    'this.queue.push(...added);\n    setImmediate(completed, undefined);',
  ),
  fault(
    'an append waits for the one before it',
    log,
    'if (!this.isTroubled) this.send(added);',
    'if (!this.isTroubled && this.inFlight === 0) this.send(added);',
  ),
  fault(
    'an append that is not answered is refused at once',
    patience,
    'patienceMilliseconds = defaultPatience',
    'patienceMilliseconds = -1',
  ),
  fault(
    'an append that is sent again expects another position',
    log,
    'const published = await this.options.stream.publish(oldest.bytes, last);',
    'const published = await this.options.stream.publish(oldest.bytes, last + 1);',
  ),
  fault(
    'an append that is found in the stream is not taken for what was sent',
    log,
    'oldest !== undefined && areSame(oldest.digest, digest)',
    'oldest !== undefined && areSame(oldest.digest, oldest.record.previous)',
  ),
  fault(
    'an answer for another position counts',
    log,
    "published.kind === 'stored' && published.sequence === last + 1",
    "published.kind === 'stored'",
  ),
  fault(
    'an owner writes on after another has begun',
    log,
    'throw this.fenced();\n      else if',
    'continue;\n      else if',
  ),
  fault(
    'what an append did without an answer is left open',
    log,
    'if (this.mayArriveBehind >= this.chain.sequence) await this.raiseBarrier();',
    '',
  ),
  fault('an owner begins without a barrier', log, 'await this.raiseBarrier();\n      this.isOpened', 'this.isOpened'),
  fault('an earlier owner opens the log', log, 'if (epoch > this.epoch) throw', 'if (epoch < 0) throw'),
  fault(
    'what the view could not take counts as applied',
    log,
    'if (refusal !== undefined) this.lag(refusal);',
    'if (refusal !== undefined && this.queue.length > 1_000) this.lag(refusal);',
  ),
  fault(
    'a full stream is asked for ever',
    log,
    "if (published.kind === 'full') return new LogRefusal('full', published.cause);",
    '',
  ),
  fault(
    'a log that has lost its end is gone on with',
    viewChain,
    'if (sequence > last)',
    'if (sequence > last + 1_000)',
  ),
  fault(
    'a log of another history is gone on with',
    viewChain,
    'stored === undefined || !areSame(digestOf(stored.bytes), digest)',
    'stored === undefined',
  ),
  fault(
    'a partition that was written without its log goes on with it',
    viewChain,
    'if (!view.isOf(place))',
    'if (place === undefined && !view.isOf(place))',
  ),
  fault(
    'a copy that is too old for the log begins in its middle',
    viewChain,
    "if (sequence < first) throw new LogRefusal('truncated');",
    '',
  ),
  fault(
    'what an owner sent before it was shut out counts',
    chain,
    'if (!areSame(record.previous, this.digest)) {',
    'if (record.kind === undefined) {',
  ),
  fault(
    'a record that was changed is passed over',
    chain,
    'if (last === undefined || epoch > last.epoch || isNext)',
    'if (last === undefined)',
  ),
  fault(
    'what a newer version has written counts as damage',
    records,
    'throw new NewerRecord(',
    'throw new UnreadableRecord(',
  ),
  fault(
    'a batch is applied without its last part',
    chain,
    'return part === parts - 1 ? pieces : undefined;',
    'return part === 0 ? pieces : undefined;',
  ),
  fault(
    'a copy that stood still for too long reads on behind what is gone',
    kept,
    "if (first > sequence + 1) throw new LogRefusal('truncated');",
    '',
  ),
  fault('a view does not know how far it has come', view, 'keys.push(placeKey);\n    values.push(', 'void ('),
  fault('a record is stored wherever the stream ends', stream, 'expect: { lastSequence: last }', 'expect: {}', real),
  fault(
    'records carry an id for servers to remember',
    stream,
    'expect: { lastSequence: last }',
    'msgID: String(last), expect: { lastSequence: last }',
    real,
  ),
  fault(
    'one that does not lead a stream tells where it ends',
    stream,
    '!leader || replicas.some(({ name }) => name === leader)',
    'false',
    real,
  ),
  fault(
    'a leader that is cut off tells where its stream ends',
    stream,
    'offline !== true && active < electionNanoseconds',
    'offline !== true && active > 0',
    real,
  ),
  fault(
    'where a log seems to have lost its end it counts as lost at once',
    patience,
    'if (bounds.last >= sequence || clock.monotonic() > end) return bounds;',
    'if (bounds.last >= sequence || end > 0) return bounds;',
  ),
  fault(
    'a full stream counts as silent',
    stream,
    "noRoom.includes(codeOf(error)) ? 'full'",
    "noRoom.length === 0 ? 'full'",
    real,
  ),
  fault('servers that do not flush are taken', servers, 'sync_always !== true', 'sync_always === null', real),
  fault('servers that do not tell are taken', servers, 'if (answers.length === 0)', 'if (answers.length < 0)', real),
  fault('old servers are taken', servers, 'if (!isNewEnough(version)) throw', 'if (version === undefined) throw', real),
  fault(
    'old servers are taken, unless the connection has one',
    servers,
    'if (!isNewEnough(server.ver)) throw',
    "if (server.ver === '') throw",
    real,
  ),
  fault(
    'a stream that drops records is taken',
    servers,
    'config[field] !== value)',
    "config[field] !== value && field !== 'max_age')",
    real,
  ),
  fault(
    'a state counts before its last piece',
    examination,
    "if (record.kind !== 'state') return",
    "if (record.kind !== 'barrier') return",
    examinations,
  ),
  fault(
    'a copy goes on with a log that has another record in its place',
    examination,
    'return stored !== undefined && areSame(stored, digest);',
    'return stored !== undefined;',
    examinations,
  ),
  fault(
    'what the view could not take is passed over while the log is read',
    log,
    'if (this.lags !== lags) throw this.refusal!;',
    '',
  ),
  fault(
    'a view that lacks something counts as read',
    log,
    'this.mustReadView &&= this.lags !== lags;',
    'this.mustReadView = false;',
  ),
  fault(
    'logs are truncated before what nodes have still to read',
    kept,
    'return Math.min(second, ...read);',
    'return second;',
    steps,
  ),
  fault(
    'logs are truncated before the second newest snapshot',
    kept,
    'return Math.min(second, ...read);',
    'return Math.max(second, ...read);',
    nodes,
  ),
  fault(
    'an owner counts what it sent after another one had begun',
    log,
    "published.kind === 'stored' && published.sequence === last + 1",
    "published.kind === 'stored' || published.kind === 'conflict'",
    nodes,
  ),
];
