/** Time zones by their names, such as Europe/Berlin. */

/** Whether a zone has this name here. */
export function isTimeZone(name: string): boolean {
  try {
    formatOf(name);
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

export class TimeZone {
  private readonly format: Intl.DateTimeFormat;

  /** Throws RangeError for a name that no zone has. */
  constructor(name: string) {
    this.format = formatOf(name);
  }

  /**
   * When clocks of the zone show this: `shown` is the time at which those of UTC do. Where clocks are put forward over
   * it, the time is that of the clocks before.
   */
  timeAt(shown: number): number {
    const near = shown - this.aheadAt(shown);
    return shown - this.aheadAt(near);
  }

  /** Milliseconds by which clocks of the zone are ahead of UTC. */
  private aheadAt(time: number): number {
    const part = Object.fromEntries(this.format.formatToParts(time).map(({ type, value }) => [type, Number(value)]));
    const shown = Date.UTC(part.year!, part.month! - 1, part.day!, part.hour!, part.minute!, part.second!);
    return shown - Math.floor(time / 1_000) * 1_000;
  }
}

function formatOf(zone: string): Intl.DateTimeFormat {
  const numeric = 'numeric';
  return new Intl.DateTimeFormat('en', {
    timeZone: zone,
    hourCycle: 'h23',
    ...{ year: numeric, month: numeric, day: numeric, hour: numeric, minute: numeric, second: numeric },
  });
}
