/** The endpoints of the dashboard: figures by day, what occurs most, and who stays. */
import { z } from 'zod';
import { latestPeriod } from '../../../operations/measures/period.ts';
import { dimensionKeys, sharesMax, showDimensions } from '../../../operations/measures/show-dimensions.ts';
import { measureKeys, showMeasures } from '../../../operations/measures/show-measures.ts';
import { retentionFrequencies, showRetention } from '../../../operations/measures/show-retention.ts';
import {
  AdminCohortEntity,
  AdminDimensionEntity,
  AdminMeasureEntity,
  adminCohortEntity,
  adminDimensionEntity,
  adminMeasureEntity,
  nameOfKey,
} from '../../entities/admin/measures.ts';
import { json } from '../../http/answers.ts';
import { boolean, choice, chosenId, group, limit, required, text, textList, time } from '../../http/parameter-types.ts';
import { staffEndpoint } from './staff-endpoint.ts';

const scopes = ['admin:read'];
const ofTag = group({ id: chosenId });
const ofServer = group({ domain: text, include_subdomains: boolean });

type Given = z.output<typeof ofTag> | z.output<typeof ofServer>;

/** What a figure is about stands under its own key. */
function aboutOf(given: Given) {
  if (given === undefined) return {};
  if ('id' in given) return { tagId: given.id };
  return 'domain' in given ? { domain: given.domain, includesSubdomains: given.include_subdomains } : {};
}

/** Keys that nobody knows are left out (behaviour of the Mastodon API). */
function wantedOf<Key extends string>(known: readonly Key[], asked: readonly string[], given: object) {
  const about = given as Readonly<Record<string, Given>>;
  return known
    .map((key) => ({ key, name: nameOfKey(key) }))
    .filter(({ name }) => asked.includes(name))
    .toSorted((one, other) => asked.indexOf(one.name) - asked.indexOf(other.name))
    .map(({ key, name }) => ({ key, ...aboutOf(about[name]) }));
}

const postMeasures = staffEndpoint(showMeasures, {
  scopes,
  method: 'POST',
  path: '/api/v1/admin/measures',
  parameters: z.object({
    keys: required(textList),
    start_at: required(time),
    end_at: required(time),
    tag_accounts: ofTag,
    tag_uses: ofTag,
    tag_servers: ofTag,
    instance_accounts: ofServer,
    instance_media_attachments: ofServer,
    instance_reports: ofServer,
    instance_statuses: ofServer,
    instance_follows: ofServer,
    instance_followers: ofServer,
  }),
  summary: 'Figures of a period, day by day, beside those of the period before.',
  answer: z.array(AdminMeasureEntity),
  async handler(context, { keys, start_at: from, end_at: until, ...given }) {
    const wanted = wantedOf(measureKeys, keys, given);
    return json((await showMeasures(context, { from, until, wanted })).map(adminMeasureEntity));
  },
});

const postDimensions = staffEndpoint(showDimensions, {
  scopes,
  method: 'POST',
  path: '/api/v1/admin/dimensions',
  parameters: z.object({
    keys: required(textList),
    start_at: time,
    end_at: time,
    limit: limit(10, sharesMax),
    tag_servers: ofTag,
    tag_languages: ofTag,
    instance_accounts: ofServer,
    instance_languages: ofServer,
  }),
  summary: 'What occurs most in a period, the last thirty days by default: languages, servers, applications.',
  answer: z.array(AdminDimensionEntity),
  async handler(context, { keys, start_at: start, end_at: end, limit: most, ...given }) {
    const latest = latestPeriod(end ?? context.services.now());
    const wanted = wantedOf(dimensionKeys, keys, given);
    const within = { from: start ?? latest.from, until: latest.until };
    return json((await showDimensions(context, { ...within, wanted, limit: most })).map(adminDimensionEntity));
  },
});

const postRetention = staffEndpoint(showRetention, {
  scopes,
  method: 'POST',
  path: '/api/v1/admin/retention',
  parameters: z.object({
    start_at: required(time),
    end_at: required(time),
    frequency: choice(retentionFrequencies),
  }),
  summary:
    'How many of the people who came on a day, or in a month, were active later: 31 days or twelve months at most.',
  answer: z.array(AdminCohortEntity),
  async handler(context, { start_at: from, end_at: until, frequency = 'day' }) {
    const cohorts = await showRetention(context, { from, until, frequency });
    return json(cohorts.map((cohort) => adminCohortEntity(cohort, frequency)));
  },
});

export const adminMeasureEndpoints = [postMeasures, postDimensions, postRetention];
