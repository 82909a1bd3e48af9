/** Records of rules for other servers. Times are milliseconds since 1970. */
import { z } from 'zod';
import { identifier } from '../../account/account.records.ts';
import { domainSeverities, federationModes } from '../../policy/domains.ts';

export const FederationModeName = z.enum(federationModes);

/** What staff decide about a domain and its subdomains. */
export const DomainBlockContent = z.object({
  severity: z.enum(domainSeverities),
  rejectMedia: z.boolean(),
  rejectReports: z.boolean(),
  /** The public list hides a part of its name. */
  obfuscate: z.boolean(),
  publicComment: z.string().optional(),
  privateComment: z.string().optional(),
});
export type DomainBlockContent = z.infer<typeof DomainBlockContent>;

export const NewDomainBlock = DomainBlockContent.extend({ domain: z.string() });
export type NewDomainBlock = z.infer<typeof NewDomainBlock>;

export const DomainBlock = NewDomainBlock.extend({
  id: identifier,
  createdAt: z.number(),
  /** Subscribed lists have made it, and staff have not changed it (domain-lists). */
  isOfLists: z.boolean().optional(),
});
export type DomainBlock = z.infer<typeof DomainBlock>;

export const DomainAllow = z.object({ id: identifier, domain: z.string(), createdAt: z.number() });
export type DomainAllow = z.infer<typeof DomainAllow>;

/** The position of a sweep over known remote accounts: a partition, and the last account of a host examined there. */
export const SweepPosition = z.object({
  partition: z.number(),
  after: z.object({ host: z.string(), accountId: identifier }).optional(),
});
export type SweepPosition = z.infer<typeof SweepPosition>;
