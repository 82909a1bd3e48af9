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

interface Recording {
  readonly known: Set<Source>;
  readonly standings: Set<Standing>;
}

/** Notes what is used while something is made that somebody wants to keep. */
export class SourceRecorder {
  private readonly storage: { readonly readCount: number };
  private recording: Recording | undefined;

  constructor(storage: { readonly readCount: number }) {
    this.storage = storage;
  }

  /** A status or an account. What there is not was looked for in storage. */
  add(source: Source | undefined): void {
    if (this.recording !== undefined && source !== undefined) this.recording.known.add(source);
  }

  addStanding(standing: Standing): void {
    this.recording?.standings.add(standing);
  }

  /** Makes something at once; without sources where storage was read, whose changes nobody tells of. */
  record<Made>(make: () => Made): { readonly made: Made; readonly sources: Sources | undefined } {
    const { readCount } = this.storage;
    const recording: Recording = { known: new Set(), standings: new Set() };
    this.recording = recording;
    try {
      const made = make();
      const isComplete = this.storage.readCount === readCount;
      return { made, sources: isComplete ? new Sources([...recording.known], [...recording.standings]) : undefined };
    } finally {
      this.recording = undefined;
    }
  }
}
