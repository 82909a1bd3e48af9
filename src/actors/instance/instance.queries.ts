/** Reads of the instance: settings, secrets, terms, and usage statistics. */
import type { Reader } from '../../runtime/storage/reader.ts';
import type { FeedRules } from '../policy/feed-access.ts';
import {
  activityDays,
  activityWeeks,
  firstDayOfWeek,
  lastActive,
  sumOfActivity,
  usageTotals,
  type WeeklyActivity,
  weeklyActivity,
  weekOf,
} from '../usage.state.ts';
import { type InstanceSecrets, type InstanceSettings, instanceKey, type StoredEmoji } from './instance.messages.ts';
import { customEmojis, secrets, settings, termsOfService } from './instance.state.ts';

export type { StoredEmoji };

/** Empty on a new server. */
export function storedSettings(reader: Reader): InstanceSettings {
  return reader.get(settings, [instanceKey]) ?? {};
}

/** Who reads the public timelines. */
export function feedRules(reader: Reader): FeedRules {
  const { localLiveFeeds, remoteLiveFeeds, localTopicFeeds, remoteTopicFeeds } = storedSettings(reader);
  return {
    live: { local: localLiveFeeds ?? 'public', remote: remoteLiveFeeds ?? 'public' },
    topic: { local: localTopicFeeds ?? 'public', remote: remoteTopicFeeds ?? 'public' },
  };
}

/** Undefined until the first start has generated them. */
export function instanceSecrets(reader: Reader): InstanceSecrets | undefined {
  return reader.get(secrets, [instanceKey]);
}

/** In the order of their shortcodes. */
export function listCustomEmojis(reader: Reader): StoredEmoji[] {
  const emojis = Array.from(reader.range(customEmojis, [instanceKey]), ({ value }) => value);
  return emojis.sort((one, other) => (one.shortcode < other.shortcode ? -1 : 1));
}

export function findCustomEmoji(reader: Reader, shortcode: string): StoredEmoji | undefined {
  return reader.get(customEmojis, [instanceKey, shortcode]);
}

export interface Terms {
  /** The day on which they take effect, in days since 1970. */
  readonly day: number;
  readonly content: string;
  /** When they were published, and when everybody was told of them. */
  readonly publishedAt: number;
  readonly toldAt?: number | undefined;
}

/** All versions of the terms of service, oldest first. */
export function listTerms(reader: Reader): Terms[] {
  return Array.from(reader.range(termsOfService, [instanceKey]), ({ key, value }) => ({
    day: key[1],
    ...value,
  }));
}

export interface Usage {
  /** Local accounts that are confirmed, approved and not suspended. */
  readonly users: number;
  /** Statuses of local accounts, without reblogs. */
  readonly statuses: number;
  /** Hosts of known remote accounts. */
  readonly hosts: number;
  /**
   * Local accounts that were active within the last 30 days, and within 180; also those suspended since (behaviour of
   * Mastodon, which does not look at the state of an account here).
   */
  readonly activeMonth: number;
  readonly activeHalfyear: number;
}

const monthDays = 30;
const noActivity: WeeklyActivity = { statuses: 0, logins: 0, registrations: 0 };

/** Sums the counters of all partitions; `today` in days since 1970. */
export function usageOf(partitions: readonly Reader[], today: number): Usage {
  const usage = { users: 0, statuses: 0, hosts: 0, activeMonth: 0, activeHalfyear: 0 };
  for (const partition of partitions) {
    const totals = partition.get(usageTotals, [0]);
    usage.users += totals?.users ?? 0;
    usage.statuses += totals?.statuses ?? 0;
    usage.hosts += totals?.hosts ?? 0;
    for (const { key, value } of partition.range(lastActive, [], { from: Math.max(0, today - activityDays + 1) })) {
      usage.activeHalfyear += value;
      if (key[0] > today - monthDays) usage.activeMonth += value;
    }
  }
  return usage;
}

export interface WeekOfActivity extends WeeklyActivity {
  /** Its Monday, in days since 1970. */
  readonly firstDay: number;
}

/** The weeks up to that of `today` (days since 1970), newest first, including weeks without activity. */
export function activityOf(partitions: readonly Reader[], today: number): WeekOfActivity[] {
  return Array.from({ length: activityWeeks }, (_, age) => {
    const week = weekOf(today) - age;
    const counted = partitions.map((partition) => partition.get(weeklyActivity, [week]) ?? noActivity);
    return { firstDay: firstDayOfWeek(week), ...counted.reduce(sumOfActivity, noActivity) };
  });
}
