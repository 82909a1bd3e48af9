/** In what order and how fast uploads are read, however much their connections deliver at once. Over timers of its own. */
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { AnswerBlocks } from '../../../src/gateway/http/answer-blocks.ts';
import { httpLimits } from '../../../src/gateway/http/limits.ts';
import { type Reader, Uploads } from '../../../src/gateway/http/uploads/uploads.ts';

const { uploadBytesAhead, uploadBytesPerSecond, uploadPatienceMilliseconds } = httpLimits;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'setImmediate', 'setInterval', 'clearInterval', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
});

/** Delivers so many bytes whenever it is resumed, and waits for its next turn. */
class Flood implements Reader {
  received = 0;
  /** When it was resumed or asked to stay. */
  readonly touchedAt: number[] = [];
  private readonly uploads: Uploads;
  private readonly burst: number;

  constructor(uploads: Uploads, burst: number) {
    this.uploads = uploads;
    this.burst = burst;
    uploads.enter();
    uploads.awaitTurn(this);
  }

  resume(): void {
    this.touchedAt.push(performance.now());
    this.received += this.burst;
    this.uploads.received(this.burst);
    this.uploads.awaitTurn(this);
  }

  stay(): void {
    this.touchedAt.push(performance.now());
  }

  end(): void {
    this.uploads.giveUpTurn(this);
    this.uploads.leave();
  }
}

function flood(count: number, burst: number): Flood[] {
  const uploads = new Uploads({ folder: undefined, blocks: new AnswerBlocks() });
  const floods = Array.from({ length: count }, () => new Flood(uploads, burst));
  onTestFinished(() => {
    for (const one of floods) one.end();
    expect(vi.getTimerCount()).toBeLessThanOrEqual(1);
  });
  return floods;
}

const megabyte = 1_048_576;
const seconds = 10;

test.each([
  ['one upload', 1, 4 * megabyte],
  ['twenty uploads', 20, 4 * megabyte],
  ['twenty that deliver all they have in one turn', 20, 46 * megabyte],
  ['as many as may be', 128, megabyte / 2],
])('%s: no more is read than the rate allows', async (_what, count, burst) => {
  const floods = flood(count, burst);
  await vi.advanceTimersByTimeAsync(seconds * 1_000);
  const received = floods.map((one) => one.received);
  const total = received.reduce((sum, bytes) => sum + bytes, 0);
  const allowed = uploadBytesPerSecond * seconds + uploadBytesAhead;
  expect(total).toBeLessThanOrEqual(allowed + burst);
  expect(total).toBeGreaterThan(allowed - burst);
  // In turn.
  expect(Math.max(...received) - Math.min(...received)).toBeLessThanOrEqual(burst);
});

test('what comes first waits for nobody', async () => {
  const [photo] = flood(1, megabyte);
  await vi.advanceTimersByTimeAsync(10);
  expect(photo!.received).toBeGreaterThanOrEqual(uploadBytesAhead);
});

test('a connection that waits for long is kept open', async () => {
  const floods = flood(40, 46 * megabyte);
  await vi.advanceTimersByTimeAsync(30_000);
  for (const { touchedAt } of floods) {
    const pauses = touchedAt.map((at, index) => at - (touchedAt[index - 1] ?? 0));
    expect(Math.max(...pauses)).toBeLessThanOrEqual(uploadPatienceMilliseconds + 1);
  }
});
