/** Numbers, times and lists as a language writes them. Times are given in milliseconds since 1970 and shown in UTC. */
import { Html, type HtmlPart, markupOf } from './html.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

const sizeUnits = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

/** What `Intl` takes; it throws for anything else. */
const languageTag = /^[a-z]{2,3}(?:-[a-z]{4})?(?:-(?:[a-z]{2}|\d{3}))?$/i;

type Unit = 'minute' | 'hour' | 'day';

export class Formats {
  private readonly numbers: Intl.NumberFormat;
  private readonly compactNumbers: Intl.NumberFormat;
  private readonly shares: Intl.NumberFormat;
  private readonly exact: Intl.DateTimeFormat;
  private readonly sameYear: Intl.DateTimeFormat;
  private readonly otherYear: Intl.DateTimeFormat;
  private readonly longDay: Intl.DateTimeFormat;
  private readonly longMonth: Intl.DateTimeFormat;
  private readonly relative: Intl.RelativeTimeFormat;
  private readonly conjunction: Intl.ListFormat;
  private readonly ages: Readonly<Record<Unit, Intl.NumberFormat>>;
  private readonly durations: Readonly<Record<Unit, Intl.NumberFormat>>;
  private readonly significant: Intl.NumberFormat;
  private readonly shortTimes: Intl.NumberFormat;
  private readonly sizes: readonly Intl.NumberFormat[];
  private readonly languages: Intl.DisplayNames;

  /** `locale`: the language, with the region whose dates are shown. */
  constructor(locale: string) {
    const date = (options: Intl.DateTimeFormatOptions) =>
      new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' });
    this.numbers = new Intl.NumberFormat(locale);
    this.compactNumbers = new Intl.NumberFormat(locale, { notation: 'compact' });
    this.shares = new Intl.NumberFormat(locale, { style: 'percent' });
    this.exact = date({
      day: 'numeric',
      month: 'long',
      year: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
      timeZoneName: 'short',
    });
    this.sameYear = date({ day: 'numeric', month: 'short' });
    this.otherYear = date({ day: 'numeric', month: 'short', year: 'numeric' });
    this.longDay = date({ dateStyle: 'long' });
    this.longMonth = date({ month: 'long', year: 'numeric' });
    this.relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
    this.conjunction = new Intl.ListFormat(locale);
    this.ages = units(locale, 'narrow');
    this.durations = units(locale, 'long');
    this.languages = new Intl.DisplayNames([locale], { type: 'language' });
    const digits = { maximumSignificantDigits: 3 } as const;
    this.significant = new Intl.NumberFormat(locale, digits);
    this.shortTimes = new Intl.NumberFormat(locale, { style: 'unit', unit: 'millisecond', ...digits });
    this.sizes = sizeUnits.map(
      (unit) => new Intl.NumberFormat(locale, { style: 'unit', unit, maximumFractionDigits: 1 }),
    );
  }

  number(value: number): string {
    return this.numbers.format(value);
  }

  /** `1.2K`. */
  compact(value: number): string {
    return this.compactNumbers.format(value);
  }

  /** `0.25` is `25%`. */
  share(value: number): string {
    return this.shares.format(value);
  }

  /** For figures that change: `12`, `1.5`, `0.04`. */
  precise(value: number): string {
    return this.significant.format(value);
  }

  /** `3.2 ms`. */
  milliseconds(value: number): string {
    return this.shortTimes.format(value);
  }

  /** `1.5 GB`: in steps of 1024, as memory and disks are counted. */
  bytes(value: number): string {
    let [size, step] = [value, 0];
    for (; size >= 1_024 && step < sizeUnits.length - 1; step += 1) size /= 1_024;
    return this.sizes[step]!.format(size);
  }

  /** `German`: the name of a language, or the code of one that has none. */
  language(code: string): string {
    return languageTag.test(code) ? (this.languages.of(code) ?? code) : code;
  }

  exactTime(milliseconds: number): string {
    return this.exact.format(milliseconds);
  }

  shortDay(milliseconds: number): string {
    return this.otherYear.format(milliseconds);
  }

  day(milliseconds: number): string {
    return this.longDay.format(milliseconds);
  }

  /** `November 2025`. */
  month(milliseconds: number): string {
    return this.longMonth.format(milliseconds);
  }

  /** `now`, `5m`, `3h`, `2d`, then the day. The script of the pages does the same. */
  age(milliseconds: number, now: number): string {
    const age = now - milliseconds;
    if (age < minute) return this.relative.format(0, 'second');
    if (age < hour) return this.ages.minute.format(Math.floor(age / minute));
    if (age < day) return this.ages.hour.format(Math.floor(age / hour));
    if (age < 7 * day) return this.ages.day.format(Math.floor(age / day));
    const isThisYear = new Date(milliseconds).getUTCFullYear() === new Date(now).getUTCFullYear();
    return (isThisYear ? this.sameYear : this.otherYear).format(milliseconds);
  }

  /** `today`, `yesterday`, `5 days ago`. */
  daysAgo(days: number): string {
    return this.relative.format(-days, 'day');
  }

  /** `30 minutes`, in the largest unit of which it is a whole number. */
  duration(milliseconds: number): string {
    if (milliseconds % day === 0) return this.durations.day.format(milliseconds / day);
    if (milliseconds % hour === 0) return this.durations.hour.format(milliseconds / hour);
    return this.durations.minute.format(milliseconds / minute);
  }

  /** `A, B and C`. */
  list(items: readonly HtmlPart[]): Html {
    const places = this.conjunction.formatToParts(items.map((_, index) => String(index)));
    return new Html(
      places.map(({ type, value }) => markupOf(type === 'element' ? items[Number(value)] : value)).join(''),
    );
  }
}

function units(locale: string, unitDisplay: 'narrow' | 'long'): Readonly<Record<Unit, Intl.NumberFormat>> {
  const of = (unit: Unit) => new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay });
  return { minute: of('minute'), hour: of('hour'), day: of('day') };
}
