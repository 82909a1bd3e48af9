/** Figures of a period, day by day, beside those of the period before. */
import { z } from 'zod';
import type { Days } from '../../actors/daily-counts.queries.ts';
import { reads } from '../audit.ts';
import { operation } from '../operation.ts';
import * as ofInstances from './instance-measures.ts';
import { keptFigures } from './kept-figures.ts';
import { type Asked, daysBefore, type Figures } from './measure.ts';
import { about, daysOf, period } from './period.ts';
import * as ofServer from './server-measures.ts';
import * as ofTags from './tag-measures.ts';

interface Measure {
  /** In slices (see TimeSlices), or elsewhere. */
  figures(asked: Asked): Generator<undefined, Figures> | Promise<Figures>;
  /** With the period before; the others have no total of a period. */
  readonly isCompared: boolean;
}

const compared = (figures: Measure['figures']): Measure => ({ figures, isCompared: true });
const alone = (figures: Measure['figures']): Measure => ({ figures, isCompared: false });

/** By their keys in the Mastodon API, in our spelling. */
const measures = {
  activeUsers: compared(ofServer.activeUsers),
  newUsers: compared(ofServer.newUsers),
  interactions: compared(ofServer.countedByDay('interactions')),
  openedReports: compared(ofServer.openedReports),
  resolvedReports: compared(ofServer.countedByDay('resolvedReports')),
  tagAccounts: compared(ofTags.tagAccounts),
  tagUses: compared(ofTags.tagUsed),
  tagServers: compared(ofTags.tagServers),
  instanceAccounts: alone(ofInstances.instanceAccounts),
  instanceMediaAttachments: alone(ofInstances.instanceMedia),
  instanceReports: alone(ofInstances.instanceReports),
  instanceStatuses: alone(ofInstances.instanceStatuses),
  instanceFollows: alone(ofInstances.instanceFollows),
  instanceFollowers: alone(ofInstances.instanceFollowers),
} as const satisfies Record<string, Measure>;

export type MeasureKey = keyof typeof measures;
export const measureKeys = Object.keys(measures) as [MeasureKey, ...MeasureKey[]];

export interface Measured extends Figures {
  readonly key: MeasureKey;
  readonly days: Days;
  readonly previousTotal: number | undefined;
}

export const showMeasures = operation({
  input: period.extend({ wanted: z.array(about.extend({ key: z.enum(measureKeys) })).max(measureKeys.length) }),
  permission: 'viewDashboard',
  audit: reads,
  /** In the given order. Throws Failure notFound for an unknown hashtag, and validation. */
  run({ services }, { wanted, ...given }): Promise<Measured[]> {
    const days = daysOf(given);
    const kept = keptFigures(services);
    return Promise.all(
      wanted.map(async ({ key, ...of }): Promise<Measured> => {
        const { figures, isCompared } = measures[key];
        const within = (asked: Days) =>
          kept.get(`measure ${key} ${asked.first} ${asked.last} ${nameOf(of)}`, async () => {
            const found = figures({ services, days: asked, about: of });
            return found instanceof Promise ? found : services.slices.run(found);
          });
        const previous = isCompared ? await within(daysBefore(days)) : undefined;
        return { key, days, ...(await within(days)), previousTotal: previous?.total };
      }),
    );
  },
});

/** For the names of kept figures. */
export function nameOf({ tagId, domain, includesSubdomains }: z.output<typeof about>): string {
  return `${tagId ?? ''} ${domain ?? ''} ${includesSubdomains === true}`;
}
