/**
 * What staff let trend, as it is decided now: about a tag, a link or a status itself, else about the publisher of the link
 * or the author of the status, else by a setting (behaviour of the Mastodon API). A disallowed hashtag does not trend, is
 * not suggested, and may not be posted.
 */
import { findTrendReview } from '../../actors/instance/trends/trend-reviews.queries.ts';
import type { TrendReview } from '../../actors/instance/trends/trend-reviews.records.ts';
import { firstOf } from '../../actors/policy/domains.ts';
import { hostOfPage } from '../../actors/policy/page-host.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Services } from '../../services/services.ts';
import { settingsOf } from '../instance/settings.ts';

type ReviewServices = Pick<Services, 'snapshots' | 'options'>;

export interface Trendability {
  readonly isTrendable: boolean;
  /** Nobody has decided about it. */
  readonly requiresReview: boolean;
}

export interface TagRights extends Trendability {
  readonly isUsable: boolean;
  readonly isListable: boolean;
}

/** For one answer: the settings are read once. */
export class Reviews {
  /** False where staff have switched trends off. */
  readonly areTrendsOn: boolean;
  /** What nobody has decided about trends as well. */
  readonly isEverythingTrendable: boolean;
  private readonly services: ReviewServices;
  private readonly disallowed: ReadonlySet<string>;

  constructor(services: ReviewServices) {
    const { trends, trendableByDefault, disallowedHashtags } = settingsOf(services);
    this.services = services;
    this.areTrendsOn = trends;
    this.isEverythingTrendable = trendableByDefault;
    this.disallowed = new Set(disallowedHashtags);
  }

  tag(name: string): TagRights {
    const review = findTrendReview(this.services.snapshots, 'tag', name);
    const isAllowed = !this.disallowed.has(name);
    return {
      isTrendable: isAllowed && (review?.isTrendable ?? this.isEverythingTrendable),
      isUsable: isAllowed && review?.isUsable !== false,
      isListable: isAllowed && review?.isListable !== false,
      requiresReview: isAllowed && review === undefined,
    };
  }

  /** `url`: the page as it names itself. */
  link(url: string): Trendability {
    const { snapshots } = this.services;
    return this.decided(findTrendReview(snapshots, 'link', url), () => this.publisherReview(hostOfPage(url)));
  }

  publisher(host: string): Trendability {
    return this.decided(this.publisherReview(host), () => undefined);
  }

  status(statusId: Id, accountId: Id): Trendability {
    const { snapshots } = this.services;
    const review = findTrendReview(snapshots, 'status', statusId.toString());
    return this.decided(review, () => findTrendReview(snapshots, 'account', accountId.toString()));
  }

  account(accountId: Id): Trendability {
    return this.decided(findTrendReview(this.services.snapshots, 'account', accountId.toString()), () => undefined);
  }

  /** Of the host, or of the nearest domain that it belongs to. */
  private publisherReview(host: string): TrendReview | undefined {
    return firstOf(host, (domain) => findTrendReview(this.services.snapshots, 'publisher', domain));
  }

  private decided(own: TrendReview | undefined, other: () => TrendReview | undefined): Trendability {
    const review = own ?? other();
    return { isTrendable: review?.isTrendable ?? this.isEverythingTrendable, requiresReview: review === undefined };
  }
}
