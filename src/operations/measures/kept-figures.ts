/** Figures of the dashboard are computed when they are asked for, and kept for five minutes, as in Mastodon. */
import { KeptResult } from '../../services/kept-result.ts';
import { member } from '../../services/members.ts';
import type { Services } from '../../services/services.ts';

const keptMilliseconds = 5 * 60 * 1_000;
/** Of each thread; each is some kilobytes at most. */
const keptMax = 200;

class KeptFigures {
  private readonly services: Services;
  /** In the order in which they were first asked for. */
  private readonly kept = new Map<string, KeptResult<object>>();

  constructor(services: Services) {
    this.services = services;
  }

  /** `name` says everything that the figures depend on. */
  get<Figures extends object>(name: string, compute: () => Figures | Promise<Figures>): Promise<Figures> {
    const known =
      this.kept.get(name) ??
      new KeptResult<object>(
        this.services,
        async () => compute(),
        () => keptMilliseconds,
      );
    this.kept.set(name, known);
    const [oldest] = this.kept.keys();
    if (this.kept.size > keptMax && oldest !== undefined) this.kept.delete(oldest);
    // The name says what is computed.
    return known.get() as Promise<Figures>;
  }
}

export const keptFigures = member((services: Services) => new KeptFigures(services));
