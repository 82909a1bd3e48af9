/** The record of a filter: a group of keywords and of single statuses (specification 2.3, 2.4). */
import { z } from 'zod';
import { identifier } from '../account.records.ts';

export const filterContexts = ['home', 'notifications', 'public', 'thread', 'account'] as const;
export const filterActions = ['warn', 'hide', 'blur'] as const;

export const FilterContext = z.enum(filterContexts);
export type FilterContext = z.infer<typeof FilterContext>;
export const FilterAction = z.enum(filterActions);

export const FilterKeyword = z.object({ id: identifier, keyword: z.string(), wholeWord: z.boolean() });
export type FilterKeyword = z.infer<typeof FilterKeyword>;

export const FilterStatus = z.object({ id: identifier, statusId: identifier });
export type FilterStatus = z.infer<typeof FilterStatus>;

export const Filter = z.object({
  title: z.string(),
  contexts: z.array(FilterContext),
  action: FilterAction,
  /** Set by version 1 of the API (`irreversible`): the server drops matching statuses (specification 2.5). */
  isIrreversible: z.boolean(),
  /** Milliseconds since 1970; an expired filter is kept but not applied. */
  expiresAt: z.number().optional(),
  keywords: z.array(FilterKeyword),
  statuses: z.array(FilterStatus),
});
export type Filter = z.infer<typeof Filter>;
