/** The report for the operator when a channel shows that one of its partitions was restored from an older copy. */
import type { Problem } from '../ports.ts';

export interface Regression {
  /** The partition whose data is older than what the other one has seen of it. */
  readonly older: number;
  readonly other: number;
  /** The evidence, as the middle of a sentence. */
  readonly evidence: string;
}

export function regressionProblem({ older, other, evidence }: Regression): Problem {
  const message = `Partition ${older} is older than partition ${other}: ${evidence}. Messages between the two stand still and none is lost. Stop the server and restore the whole data folder from one backup, made while the server was stopped.`;
  return { level: 'error', message };
}
