/**
 * How this server treats others (specification 4.10): rules of staff for domains. A rule applies to the subdomains of its
 * domain as well, and of several the one for the most specific domain counts. Pure.
 */
export const domainSeverities = ['noop', 'silence', 'suspend'] as const;
export type DomainSeverity = (typeof domainSeverities)[number];

/** `open`: with all servers that are not suspended. `allow-list`: with those that staff have allowed. */
export const federationModes = ['open', 'allow-list'] as const;
export type FederationMode = (typeof federationModes)[number];

export interface DomainRule {
  /**
   * `suspend`: nothing is sent, fetched, accepted or shown. `silence`: shown to followers only. `noop`: only what else
   * the rule says.
   */
  readonly severity: DomainSeverity;
  readonly rejectMedia: boolean;
  readonly rejectReports: boolean;
}

export interface HostTreatment extends DomainRule {
  /** The domain of the rule; undefined where none applies, or where the host is not among the allowed ones. */
  readonly domain: string | undefined;
}

const untreated: HostTreatment = { severity: 'noop', rejectMedia: false, rejectReports: false, domain: undefined };
const unlisted: HostTreatment = { severity: 'suspend', rejectMedia: true, rejectReports: true, domain: undefined };

/** Host to treatment: some look-ups for each label of the host, however many rules there are. */
export class DomainPolicy {
  mode: FederationMode = 'open';
  private readonly rules = new Map<string, HostTreatment>();
  private readonly allowed = new Set<string>();

  setRule(domain: string, rule: DomainRule | undefined): void {
    if (rule === undefined) this.rules.delete(domain);
    else this.rules.set(domain, { ...treatmentBy(rule), domain });
  }

  setAllowed(domain: string, isAllowed: boolean): void {
    if (isAllowed) this.allowed.add(domain);
    else this.allowed.delete(domain);
  }

  /** `host`: a host[:port] in lower case. Undefined stands for this server. */
  of(host: string | undefined): HostTreatment {
    if (host === undefined || this.isEmpty) return untreated;
    if (this.mode === 'allow-list' && firstOf(host, (domain) => this.allowed.has(domain) || undefined) === undefined)
      return unlisted;
    return this.ruleFor(host);
  }

  /** Whether no host at all is treated otherwise than others. */
  get isEmpty(): boolean {
    return this.rules.size === 0 && this.mode === 'open';
  }

  /** What is said of the host of its handle, and of that of its actor, which may be another. */
  ofAccount(host: string | undefined, actorHost: string | undefined): HostTreatment {
    const treatment = this.of(host);
    return actorHost === undefined || actorHost === host ? treatment : bothOf(treatment, this.of(actorHost));
  }

  isSuspended(host: string | undefined): boolean {
    return this.of(host).severity === 'suspend';
  }

  /** `isBeside`: files of a server of another name lie there. Whoever allows that server need not allow this host as well. */
  rejectsMedia(host: string, isBeside = false): boolean {
    return (isBeside ? this.ruleFor(host) : this.of(host)).rejectMedia;
  }

  rejectsReports(host: string | undefined): boolean {
    return this.of(host).rejectReports;
  }

  private ruleFor(host: string): HostTreatment {
    return firstOf(host, (domain) => this.rules.get(domain)) ?? untreated;
  }
}

/** Nothing at all is accepted from a suspended server. */
function treatmentBy({ severity, rejectMedia, rejectReports }: DomainRule): DomainRule {
  return severity === 'suspend'
    ? { severity, rejectMedia: true, rejectReports: true }
    : { severity, rejectMedia, rejectReports };
}

/** The host with its port, the host, and each domain above it: what `find` knows first. */
export function firstOf<Found>(host: string, find: (domain: string) => Found | undefined): Found | undefined {
  const found = find(host);
  if (found !== undefined) return found;
  const portAt = host.lastIndexOf(':');
  let domain = portAt < 0 ? host : host.slice(0, portAt);
  let known = portAt < 0 ? undefined : find(domain);
  for (let dotAt = domain.indexOf('.'); known === undefined && dotAt >= 0; dotAt = domain.indexOf('.')) {
    domain = domain.slice(dotAt + 1);
    known = find(domain);
  }
  return known;
}

export const ranks: Readonly<Record<DomainSeverity, number>> = { noop: 0, silence: 1, suspend: 2 };

export function milderOf(one: DomainSeverity, other: DomainSeverity): DomainSeverity {
  return ranks[other] < ranks[one] ? other : one;
}

/** The stricter one, with what only the other one rejects. */
function bothOf(one: HostTreatment, other: HostTreatment): HostTreatment {
  const stricter = ranks[other.severity] > ranks[one.severity] ? other : one;
  const rejectMedia = one.rejectMedia || other.rejectMedia;
  const rejectReports = one.rejectReports || other.rejectReports;
  return { ...stricter, rejectMedia, rejectReports };
}

/** Whether a rule adds something to that of a domain above its own (behaviour of the Mastodon API). */
export function isStricter(rule: DomainRule, above: DomainRule): boolean {
  if (rule.severity === 'suspend') return true;
  if (ranks[rule.severity] < ranks[above.severity]) return false;
  return (rule.rejectMedia || !above.rejectMedia) && (rule.rejectReports || !above.rejectReports);
}

/** As the public list shows a domain whose name staff want to spread no further (behaviour of the Mastodon API). */
export function obfuscated(domain: string): string {
  const visible = Math.floor(domain.length / 4);
  const characters = [...domain];
  const isHidden = (index: number) => index > visible && index < characters.length - visible;
  return characters.map((character, index) => (isHidden(index) && character !== '.' ? '*' : character)).join('');
}
