/**
 * Faults of the channels between partitions: delivery exactly once and in order, and the detection of restored
 * partitions.
 */
import { deluge, type PlantedFault, restored, simulator } from './fault.ts';

const incoming = 'src/runtime/partition/incoming.ts';
const outgoing = 'src/runtime/partition/outgoing.ts';
const channel = 'src/runtime/partition/outgoing-channel.ts';
const channels = 'test/runtime/partition-channels.test.ts';
const damagedFrames = 'test/runtime/damaged-frames.test.ts';
const regression = 'test/runtime/partition-regression.test.ts';

export const faultsOfChannels: readonly PlantedFault[] = [
  {
    name: 'a damaged frame stops those behind it',
    kind: 'undecodable records',
    file: channel,
    original: 'digestAsWritten(bytes, this.sound(sequence + 1))',
    replacement: 'digestAsWritten(bytes, undefined)',
    foundBy: 'test/runtime/undecodable.test.ts',
  },
  {
    name: 'a partition whose newest frame is damaged passes for an older copy',
    kind: 'undecodable records',
    file: incoming,
    original: 'isReadable(frame.bytes) ? { older: number, other: ours, evidence } : undefined;',
    replacement: '({ older: number, other: ours, evidence });',
    foundBy: damagedFrames,
  },
  {
    name: 'a frame overtakes the damaged one that it follows',
    kind: 'undecodable records',
    file: channel,
    original:
      'if (this.isLastDamaged && this.sent >= this.recovered && this.acknowledged < this.recovered) return false;',
    replacement: '',
    foundBy: damagedFrames,
  },
  {
    name: 'a frame that comes twice is taken twice',
    kind: 'channels',
    file: incoming,
    original: 'if (frame.sequence !== source.accepted + 1 ||',
    replacement: 'if (frame.sequence > source.accepted + 1 ||',
    foundBy: simulator,
  },
  {
    name: 'a frame is taken before the one that was lost',
    kind: 'channels',
    file: incoming,
    original: 'if (frame.sequence !== source.accepted + 1 ||',
    replacement: 'if (frame.sequence <= source.accepted ||',
    foundBy: simulator,
  },
  {
    name: 'a frame is acknowledged before it is on disk',
    kind: 'channels',
    file: incoming,
    original: 'batch.taken.set(frame.source, { sequence, epoch, digest });',
    replacement:
      'batch.taken.set(frame.source, { sequence, epoch, digest });\n    source.durable = { sequence, epoch, digest };',
    foundBy: simulator,
  },
  {
    name: 'what was taken is not written down',
    kind: 'channels',
    file: incoming,
    original: 'for (const [source, cursor] of batch.taken) batch.put(cursors, [source], cursor);',
    replacement: 'void batch;',
    foundBy: simulator,
  },
  {
    name: 'a frame that was lost is not sent again',
    kind: 'channels',
    file: channel,
    original: 'return this.sendAgain(isFirst ? this.underWay.length : 1, now);',
    replacement: 'return isFirst ? [] : [];',
    foundBy: simulator,
  },
  {
    name: 'frames that waited for room are never sent',
    kind: 'channels',
    file: outgoing,
    original: 'return [...channel.confirm(sequence, now), ...this.dispatched(now)];',
    replacement: 'return channel.confirm(sequence, now);',
    foundBy: deluge,
  },
  {
    name: 'frames that an earlier run left are not sent',
    kind: 'channels',
    file: 'src/runtime/partition/partition.ts',
    original: 'this.gate.send(this.outgoing.dispatched(this.ports.clock.monotonic()));\n    this.asked',
    replacement: 'this.asked',
    foundBy: simulator,
  },
  {
    name: 'the newest frame leaves the outbox, and its number is given again',
    kind: 'channels',
    file: outgoing,
    original: 'channel.next - 2',
    replacement: 'channel.next - 1',
    foundBy: simulator,
  },
  {
    name: 'frames that were not acknowledged leave the outbox',
    kind: 'channels',
    file: outgoing,
    original: 'const last = Math.min(channel.acknowledged, channel.next - 2,',
    replacement: 'const last = Math.min(channel.sent, channel.next - 2,',
    foundBy: simulator,
  },
  {
    name: 'the outbox loses a few frames a commit, however many were acknowledged',
    kind: 'bounds',
    file: outgoing,
    original: 'partitionLimits.outboxDropsPerCommit + 2 * batch.frames.length',
    replacement: 'Math.min(1, batch.frames.length + 1)',
    foundBy: channels,
  },
  {
    name: 'a receiver that takes nothing is sent everything again and again',
    kind: 'bounds',
    file: channel,
    original: 'resendAfterMilliseconds * 2 ** this.silences',
    replacement: 'resendAfterMilliseconds',
    foundBy: channels,
  },
  {
    name: 'more frames are under way than the receiver keeps',
    kind: 'bounds',
    file: channel,
    original: 'return this.underWay.length < waitingFramesMax && this.underWayBytes.total < underWayBytesMax;',
    replacement: 'return waitingFramesMax > 0 && this.underWayBytes.total < underWayBytesMax;',
    foundBy: deluge,
  },
  {
    name: 'the bytes of frames under way have no bound',
    kind: 'bounds',
    file: channel,
    original: 'this.underWay.length < waitingFramesMax && this.underWayBytes.total < underWayBytesMax',
    replacement: 'this.underWay.length < waitingFramesMax && underWayBytesMax > 0',
    foundBy: 'test/runtime/partition-lowered-bounds.test.ts',
  },
  {
    name: 'a receiver that lags refuses calls that tell it nothing',
    kind: 'bounds',
    file: outgoing,
    original: 'return this.channels.get(destination)?.isLagging ?? false;',
    replacement: 'return [...this.channels.values()].some(({ isLagging }) => isLagging) && destination >= 0;',
    foundBy: 'test/runtime/partition-lowered-bounds.test.ts',
  },
  {
    name: 'a receiver believes whatever its sender says of the past',
    kind: 'went back in time',
    file: incoming,
    original: 'const regression = this.contradiction(frame, source);',
    replacement: 'const regression = frame.sequence < 0 ? this.contradiction(frame, source) : undefined;',
    foundBy: restored,
  },
  {
    name: 'a sender believes whatever its receiver says of the past',
    kind: 'went back in time',
    file: outgoing,
    original: 'const evidence = contradiction(channel, sequence, digest);',
    replacement: 'const evidence = sequence < 0 ? contradiction(channel, sequence, digest) : undefined;',
    foundBy: regression,
  },
  {
    name: 'a frame is taken that does not follow the one before it',
    kind: 'went back in time',
    file: incoming,
    original: 'header.previous !== acceptedDigest',
    replacement: 'header.previous < 0',
    foundBy: regression,
  },
  {
    name: 'a receiver that was restored from a copy stands still and nobody hears of it',
    kind: 'went back in time',
    file: incoming,
    original: 'if (acknowledged > durable.sequence) {',
    replacement: 'if (acknowledged < 0) {',
    foundBy: regression,
  },
  {
    name: 'a sender does not notice that its receiver knows more frames than it has sent',
    kind: 'went back in time',
    file: outgoing,
    original: 'if (sequence > channel.durable)',
    replacement: 'if (sequence < 0)',
    foundBy: regression,
  },
  {
    name: 'a restart begins no new epoch',
    kind: 'went back in time',
    file: 'src/runtime/partition/staging.ts',
    original: 'commit: position, epoch };',
    replacement: 'commit: position, epoch: epoch > 0 ? 1 : 0 };',
    foundBy: regression,
  },
];
