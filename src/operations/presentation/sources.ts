/**
 * What something that a thread keeps was made of. As long as all of it is true, making it again would give the same:
 * what is made without a look at storage depends on nothing else but the time.
 */
export interface Source {
  /** False as soon as it is no longer what it was. */
  readonly isCurrent: boolean;
}

/** How a viewer stands to others and to statuses: whom the viewer hides, what is filtered, favourited, muted … */
export class Standing implements Source {
  isCurrent = true;
  /** When it changes by itself (milliseconds since 1970). */
  readonly validUntil: number;

  constructor(validUntil: number) {
    this.validUntil = validUntil;
  }
}

/** About what a source takes in a list of them. */
const sourceBytes = 8;

export class Sources {
  private readonly known: readonly Source[];
  private readonly standings: readonly Standing[];

  constructor(known: readonly Source[], standings: readonly Standing[]) {
    this.known = known;
    this.standings = standings;
  }

  get bytes(): number {
    return (this.known.length + this.standings.length) * sourceBytes;
  }

  areTrue(now: number): boolean {
    for (const { isCurrent, validUntil } of this.standings) if (!isCurrent || now >= validUntil) return false;
    for (const { isCurrent } of this.known) if (!isCurrent) return false;
    return true;
  }
}

/** What was made, with what it was made of: undefined where storage was read, whose changes nobody tells of. */
interface Noted<Made> {
  readonly made: Made;
  readonly sources: readonly Source[] | undefined;
}

/** What a viewer is shown of an entry of a list, with everything that decided it. */
export class Decision<Shown> {
  readonly shown: Shown;
  readonly sources: readonly Source[];
  private readonly standing: Standing;

  constructor(shown: Shown, standing: Standing, sources: readonly Source[]) {
    this.shown = shown;
    this.standing = standing;
    this.sources = sources;
  }

  /** `standing` is how the viewer stands now. */
  isTrue(standing: Standing): boolean {
    if (this.standing !== standing) return false;
    for (const { isCurrent } of this.sources) if (!isCurrent) return false;
    return true;
  }
}

/** An entry of a list of one account, which sees it. */
interface Decided<Shown> {
  decision: Decision<Shown> | undefined;
}

/** Notes what is used while something is made that somebody wants to keep. */
export class SourceRecorder {
  private readonly storage: { readonly readCount: number };
  private noted: Source[] | undefined;
  private standings: Set<Standing> | undefined;

  constructor(storage: { readonly readCount: number }) {
    this.storage = storage;
  }

  /** A status or an account. What there is not was looked for in storage. */
  add(source: Source | undefined): void {
    if (this.noted !== undefined && source !== undefined) this.noted.push(source);
  }

  addAll(sources: readonly Source[]): void {
    if (this.noted !== undefined) for (const source of sources) this.noted.push(source);
  }

  addStanding(standing: Standing): void {
    this.standings?.add(standing);
  }

  /** Makes a part at once; of what is noted meanwhile the whole is made, too. */
  note<Made>(make: () => Made): Noted<Made> {
    const { noted: outer } = this;
    const { readCount } = this.storage;
    const sources: Source[] = [];
    this.noted = sources;
    try {
      const made = make();
      return { made, sources: this.storage.readCount === readCount ? sources : undefined };
    } finally {
      this.noted = outer;
      this.addAll(sources);
    }
  }

  /** Makes something at once; without sources where storage was read. */
  record<Made>(make: () => Made): { readonly made: Made; readonly sources: Sources | undefined } {
    const standings = new Set<Standing>();
    this.standings = standings;
    try {
      const { made, sources } = this.note(make);
      return { made, sources: sources && new Sources(sources, [...standings]) };
    } finally {
      this.standings = undefined;
    }
  }

  /** What was decided about the entry, as long as it is true. */
  decided<Shown>({ decision }: Decided<Shown>, standing: Standing): Decision<Shown> | undefined {
    if (decision?.isTrue(standing) !== true) return undefined;
    this.addAll(decision.sources);
    return decision;
  }

  /** What the viewer is shown of the entry: decided again only where something of it has changed. */
  decide<Shown, Entry extends Decided<Shown>>(
    entry: Entry,
    standing: Standing,
    decide: (entry: Entry) => Shown,
  ): Shown {
    const decision = this.decided(entry, standing);
    if (decision !== undefined) return decision.shown;
    const { made, sources } = this.note(() => decide(entry));
    // What is looked up about a viewer for the first time may change the standing.
    const isKept = sources !== undefined && standing.isCurrent;
    // Copied: a list that grew has room for more.
    entry.decision = isKept ? new Decision(made, standing, sources.slice()) : undefined;
    return made;
  }
}
