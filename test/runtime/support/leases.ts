/** A lease in memory, and time that passes when it is told to. */
import type { Holder, LeaseEntry, LeaseNews } from '../../../src/runtime/cluster/lease.ts';
import { LeaseUnanswered } from '../../../src/runtime/cluster/lease.ts';

export class VirtualTime {
  now = 0;
  private sleepers: { readonly due: number; readonly isAsleep: () => boolean; readonly wake: () => void }[] = [];

  pause(milliseconds: number, isAsleep: () => boolean = () => false): Promise<void> {
    return new Promise((wake) => this.sleepers.push({ due: this.now + milliseconds, isAsleep, wake }));
  }

  async pass(milliseconds: number): Promise<void> {
    const end = this.now + milliseconds;
    for (;;) {
      await settled();
      const awake = this.sleepers.filter(({ isAsleep }) => !isAsleep());
      const next = Math.min(...awake.map(({ due }) => due));
      if (next > end) break;
      this.now = Math.max(this.now, next);
      const due = awake.filter((sleeper) => sleeper.due <= this.now);
      this.sleepers = this.sleepers.filter((sleeper) => !due.includes(sleeper));
      for (const { wake } of due) wake();
    }
    this.now = end;
    await settled();
  }
}

/** What follows without time passing. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

export class MemoryLease {
  holder: Holder | undefined;
  /** The next change has no answer, or none has. */
  loseAnswer: boolean | 'always' = false;
  private revision = 0;
  private readonly waiting = new Set<(news: LeaseNews) => void>();

  read(): LeaseEntry | undefined {
    return this.revision === 0 ? undefined : { revision: this.revision, holder: this.holder };
  }

  write(holder: Holder | undefined, revision: number): number | undefined {
    if (revision !== this.revision) return undefined;
    this.holder = holder;
    this.revision += 1;
    if (this.loseAnswer === false) return this.revision;
    this.loseAnswer &&= this.loseAnswer === 'always' && 'always';
    throw new LeaseUnanswered(new Error('the answer was lost'));
  }

  tell(news: LeaseNews): void {
    for (const told of this.waiting) told(news);
  }

  whenTold(told: (news: LeaseNews) => void): () => void {
    this.waiting.add(told);
    return () => this.waiting.delete(told);
  }
}
