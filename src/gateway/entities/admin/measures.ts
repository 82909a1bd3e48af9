/** The entities of the dashboard: Admin::Measure, Admin::Dimension and Admin::Cohort. */
import { z } from 'zod';
import type { Dimension, Share } from '../../../operations/measures/show-dimensions.ts';
import { dimensionKeys } from '../../../operations/measures/show-dimensions.ts';
import { type Measured, measureKeys } from '../../../operations/measures/show-measures.ts';
import {
  type Cohort,
  type RetentionFrequency,
  retentionFrequencies,
} from '../../../operations/measures/show-retention.ts';
import { midnight, midnightOfDay, text } from '../values.ts';

/** As the Mastodon API spells the key of a measure or dimension. */
export function nameOfKey(key: string): string {
  return key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

const figure = z.string().regex(/^[0-9]+$/, 'is not a whole number');

export const AdminMeasureEntity = z
  .strictObject({
    key: z.enum(measureKeys.map(nameOfKey)),
    unit: z.enum(['bytes']).nullable(),
    total: figure,
    /** With a unit. */
    human_value: text.optional(),
    /** For measures that are compared with the period before. */
    previous_total: figure.optional(),
    data: z.array(z.strictObject({ date: midnight, value: figure })),
  })
  .meta({ id: 'Admin.Measure' });

export function adminMeasureEntity({
  key,
  unit,
  total,
  previousTotal,
  byDay,
  days,
}: Measured): z.output<typeof AdminMeasureEntity> {
  return {
    key: nameOfKey(key),
    unit: unit ?? null,
    total: String(total),
    ...(unit !== undefined && { human_value: humanBytes(total) }),
    ...(previousTotal !== undefined && { previous_total: String(previousTotal) }),
    data: byDay.map((value, index) => ({ date: midnightOfDay(days.first + index), value: String(value) })),
  };
}

export const AdminDimensionEntity = z
  .strictObject({
    key: z.enum(dimensionKeys.map(nameOfKey)),
    data: z.array(
      z.strictObject({
        key: text,
        human_key: text,
        value: text,
        unit: z.enum(['bytes']).optional(),
        human_value: text.optional(),
      }),
    ),
  })
  .meta({ id: 'Admin.Dimension' });

export function adminDimensionEntity({ key, shares }: Dimension): z.output<typeof AdminDimensionEntity> {
  return { key: nameOfKey(key), data: shares.map(shareEntity) };
}

function shareEntity({ key, name, value, unit }: Share) {
  const inUnit = unit === undefined ? {} : { unit, human_value: humanBytes(Number(value)) };
  return { key, human_key: name ?? key, value: String(value), ...inUnit };
}

const units = ['Bytes', 'KB', 'MB', 'GB', 'TB'] as const;

function humanBytes(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10));
  const value = bytes / 1_024 ** power;
  return `${power === 0 ? value : value.toPrecision(3)} ${units[power]}`;
}

export const AdminCohortEntity = z
  .strictObject({
    period: midnight,
    frequency: z.enum(retentionFrequencies),
    data: z.array(z.strictObject({ date: midnight, rate: z.number().min(0).max(1), value: figure })),
  })
  .meta({ id: 'Admin.Cohort' });

export function adminCohortEntity(
  { firstDay, retained }: Cohort,
  frequency: RetentionFrequency,
): z.output<typeof AdminCohortEntity> {
  return {
    period: midnightOfDay(firstDay),
    frequency,
    data: retained.map(({ firstDay: day, count, rate }) => ({ date: midnightOfDay(day), rate, value: String(count) })),
  };
}
