/**
 * Dependencies of cached results. A result that was made without reading storage depends on nothing but its sources and
 * the time: as long as all sources are current, making it again would give the same result.
 */
export interface Source {
  /** False once the object was replaced or dropped. */
  readonly isCurrent: boolean;
}

/**
 * Everything about a viewer that decides what they are shown: hidden accounts, filters, state of statuses. One object
 * is one version: after a change the viewer has another one.
 */
export class ViewerVersion implements Source {
  isCurrent = true;
  /** When a mute or filter ends and changes it (milliseconds since 1970). */
  readonly validUntil: number;

  constructor(validUntil: number) {
    this.validUntil = validUntil;
  }
}

/** Approximate memory of a reference to a source. */
const sourceBytes = 8;

export class Sources {
  private readonly known: readonly Source[];
  private readonly viewerVersions: readonly ViewerVersion[];

  constructor(known: readonly Source[], viewerVersions: readonly ViewerVersion[]) {
    this.known = known;
    this.viewerVersions = viewerVersions;
  }

  get bytes(): number {
    return (this.known.length + this.viewerVersions.length) * sourceBytes;
  }

  areTrue(now: number): boolean {
    for (const { isCurrent, validUntil } of this.viewerVersions) if (!isCurrent || now >= validUntil) return false;
    for (const { isCurrent } of this.known) if (!isCurrent) return false;
    return true;
  }
}

/**
 * A result and its sources. `sources` is undefined where storage was read, because no event announces a change of what
 * was read there.
 */
interface Noted<Made> {
  readonly made: Made;
  readonly sources: readonly Source[] | undefined;
}

/** What a viewer is shown of a list entry, with the sources of that decision. */
export class Decision<Shown> {
  readonly shown: Shown;
  readonly sources: readonly Source[];
  private readonly viewerVersion: ViewerVersion;

  constructor(shown: Shown, viewerVersion: ViewerVersion, sources: readonly Source[]) {
    this.shown = shown;
    this.viewerVersion = viewerVersion;
    this.sources = sources;
  }

  /** `viewerVersion` is the viewer's current one. */
  isTrue(viewerVersion: ViewerVersion): boolean {
    if (this.viewerVersion !== viewerVersion) return false;
    for (const { isCurrent } of this.sources) if (!isCurrent) return false;
    return true;
  }
}

/** An entry of a list that belongs to, and is shown to, one account. */
interface Decided<Shown> {
  decision: Decision<Shown> | undefined;
}

/**
 * Each source once: the sender of a mention is the author of its status. In an array of its own, because one that grew by
 * push keeps spare capacity.
 */
function distinct(sources: readonly Source[]): readonly Source[] {
  return sources.filter((source, index) => sources.indexOf(source) === index).slice();
}

/** Records the sources that are used while a result is made, so that the result can be cached. */
export class SourceRecorder {
  private readonly storage: { readonly readCount: number };
  private noted: Source[] | undefined;
  private viewerVersions: Set<ViewerVersion> | undefined;

  constructor(storage: { readonly readCount: number }) {
    this.storage = storage;
  }

  /**
   * Records a status or account as a source. Nothing to record for a missing one: looking for it has read storage, so
   * the result is not cached anyway.
   */
  add(source: Source | undefined): void {
    if (this.noted !== undefined && source !== undefined) this.noted.push(source);
  }

  addAll(sources: readonly Source[]): void {
    if (this.noted !== undefined) for (const source of sources) this.noted.push(source);
  }

  addViewerVersion(viewerVersion: ViewerVersion): void {
    this.viewerVersions?.add(viewerVersion);
  }

  /**
   * Makes a part of a result, synchronously, and records its sources. They count as sources of the surrounding result
   * too.
   */
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

  /** Makes a result, synchronously. Its sources are undefined where storage was read. */
  record<Made>(make: () => Made): { readonly made: Made; readonly sources: Sources | undefined } {
    const viewerVersions = new Set<ViewerVersion>();
    this.viewerVersions = viewerVersions;
    try {
      const { made, sources } = this.note(make);
      return { made, sources: sources && new Sources(sources, [...viewerVersions]) };
    } finally {
      this.viewerVersions = undefined;
    }
  }

  /** The cached decision about an entry, if it is still valid. Its sources become sources of the result being made. */
  decided<Shown>({ decision }: Decided<Shown>, viewerVersion: ViewerVersion): Decision<Shown> | undefined {
    if (decision?.isTrue(viewerVersion) !== true) return undefined;
    this.addAll(decision.sources);
    return decision;
  }

  /** What the viewer is shown of the entry: the cached decision while it is valid, otherwise a new one. */
  decide<Shown, Entry extends Decided<Shown>>(
    entry: Entry,
    viewerVersion: ViewerVersion,
    decide: (entry: Entry) => Shown,
  ): Shown {
    const decision = this.decided(entry, viewerVersion);
    if (decision !== undefined) return decision.shown;
    const { made, sources } = this.note(() => decide(entry));
    // Looking up a fact about the viewer for the first time may replace the viewerVersion.
    const isKept = sources !== undefined && viewerVersion.isCurrent;
    entry.decision = isKept ? new Decision(made, viewerVersion, distinct(sources)) : undefined;
    return made;
  }
}
