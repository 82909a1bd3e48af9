/** Which copy of a partition has the most, where its log cannot be gone on with. */
import { compareStandings, type Examination, type Standing } from '../../runtime/cluster/examination.ts';

export interface KnownCopy {
  /** Of the node, or of the snapshot. */
  readonly name: string;
  readonly kind: 'here' | 'elsewhere' | 'snapshot';
  readonly standing: Standing;
  /** Whether the log goes on where this copy is. */
  readonly goesOn: boolean;
}

/**
 * - none: the log is whole, and nobody has more.
 * - copy: the log is made anew from this copy.
 * - lost: nothing has a whole state.
 */
export type Remedy =
  | { readonly kind: 'none' }
  | { readonly kind: 'lost' }
  | { readonly kind: 'copy'; readonly copy: KnownCopy };

export function remedyOf(log: Examination, copies: readonly KnownCopy[]): Remedy {
  const { first, standing, broken } = log;
  const best = copies.map((copy) => withLog(copy, log)).reduce(better, undefined);
  // A log that has lost its beginning needs a copy to begin with.
  const isUsable = broken === undefined && (first === 1 || copies.some(({ goesOn }) => goesOn));
  if (isUsable && standing !== undefined && (best === undefined || compareStandings(standing, best.standing) >= 0))
    return { kind: 'none' };
  return best === undefined ? { kind: 'lost' } : { kind: 'copy', copy: best };
}

interface Judged {
  readonly log: Examination;
  readonly copies: readonly KnownCopy[];
  readonly remedy: Remedy;
}

/**
 * Where one log is made anew from the copy here, so is each other one with which this copy cannot go on although it has as much:
 * records that commit nothing may be all that the log has lost. Otherwise no single copy could go on with all logs.
 */
export function withCompanions<One extends Judged>(judged: readonly One[]): One[] {
  if (!judged.some(({ remedy }) => isOfHere(remedy))) return [...judged];
  return judged.map((one) => {
    const here = one.copies.find(({ kind }) => kind === 'here');
    const { standing } = one.log;
    if (one.remedy.kind !== 'none' || here === undefined || here.goesOn || standing === undefined) return one;
    return compareStandings(here.standing, standing) === 0 ? { ...one, remedy: { kind: 'copy', copy: here } } : one;
  });
}

export function isOfHere(remedy: Remedy): boolean {
  return remedy.kind === 'copy' && remedy.copy.kind === 'here';
}

/** A copy with which the log goes on has what that still has, too. */
function withLog(copy: KnownCopy, { standing }: Examination): KnownCopy {
  const isAhead = copy.goesOn && standing !== undefined && compareStandings(standing, copy.standing) > 0;
  return isAhead ? { ...copy, standing } : copy;
}

const kinds: readonly KnownCopy['kind'][] = ['here', 'elsewhere', 'snapshot'];

/** Of two that have as much, the one that is nearest. */
function better(one: KnownCopy | undefined, other: KnownCopy): KnownCopy {
  if (one === undefined) return other;
  const by = compareStandings(other.standing, one.standing) || kinds.indexOf(one.kind) - kinds.indexOf(other.kind);
  return by > 0 ? other : one;
}

/** For operators: what is the matter with the log of a partition, and what is done about it. */
export function sentenceOfRemedy(partition: number, { standing, broken }: Examination, remedy: Remedy): string {
  const beginning = `Partition ${partition}:`;
  if (remedy.kind === 'none') return `${beginning} its log is whole, with ${textOf(standing)}, and no copy has more.`;
  const has = standing === undefined ? 'its log has no whole state' : `its log has ${textOf(standing)}`;
  const matter = broken === undefined ? `${has}.` : `${has} and ends there. ${broken}`;
  if (remedy.kind === 'lost') return `${beginning} ${matter} No copy is known that has one: restore a backup.`;
  const { copy } = remedy;
  const found = `${whoseOf(copy)} has ${textOf(copy.standing)}`;
  if (copy.kind === 'here') return `${beginning} ${matter} ${found}: the log is made anew from it.`;
  if (copy.kind === 'elsewhere')
    return `${beginning} ${matter} ${found}: the log is made anew from it, by this command there.`;
  return `${beginning} ${matter} ${found}: move the data folder away, run murmuration cluster join, and then this command again.`;
}

/** For operators, before anything is done: what copies of earlier epochs have that is not gone on with. */
export function sentencesOfLoss(
  partition: number,
  { ends, standing }: Examination,
  { copies, remedy }: { readonly copies: readonly KnownCopy[]; readonly remedy: Remedy },
): string[] {
  const chosen = remedy.kind === 'copy' ? remedy.copy.standing : standing;
  if (remedy.kind === 'lost' || chosen === undefined) return [];
  return copies.flatMap((copy) => {
    const { epoch, commit } = copy.standing;
    if (copy.goesOn || copy.kind === 'snapshot' || epoch >= chosen.epoch) return [];
    const last = Math.max(...[...ends.keys()].filter((known) => known <= epoch));
    const parted = ends.get(last);
    const beyond = commit - (parted ?? chosen.commit);
    if (beyond <= 0) return [];
    const count = `${parted === undefined ? 'at least ' : ''}${beyond} ${beyond === 1 ? 'batch' : 'batches'}`;
    const are =
      remedy.kind === 'copy'
        ? `where ${lower(whoseOf(remedy.copy))} does not have them too, they are`
        : 'they are nowhere else, and are';
    const has = `${whoseOf(copy)} has ${count} beyond where it parted from the log`;
    return [`Partition ${partition}: ${has}: ${are} lost unless its data folder is kept.`];
  });
}

function lower(text: string): string {
  return text[0]!.toLowerCase() + text.slice(1);
}

function whoseOf({ kind, name }: KnownCopy): string {
  if (kind === 'here') return 'The copy of this node';
  return kind === 'snapshot' ? `The snapshot ${name}` : `The copy of ${name}`;
}

function textOf(standing: Standing | undefined): string {
  return standing === undefined ? 'nothing' : `batch ${standing.commit} of epoch ${standing.epoch}`;
}
