/** Loads the HTTP interface: sessions of apps begin at a rate, whatever the server answers. */
import { LoadFailure } from '../failure.ts';
import { jsonOf } from '../json.ts';
import { loadLimits } from '../limits.ts';
import type { Part, PartContext, RunTimes } from '../part.ts';
import { arrivalsBetween, arrive } from '../run/arrivals.ts';
import { checkTokens } from './check-tokens.ts';
import { Client } from './client.ts';
import { Pictures } from './picture.ts';
import { runSession, textOf } from './session.ts';
import type { HttpSettings, Sessions } from './settings.ts';

export class HttpPart implements Part {
  private readonly settings: HttpSettings;
  private readonly sessions: Sessions;
  private readonly context: PartContext;
  private readonly client: Client;
  /** Names of sessions, as often as they are to come in a round. */
  private readonly round: readonly string[];
  private readonly pictures = new Pictures();
  private shared: { readonly viral?: string } = {};
  private begun = 0;
  private unbegun = 0;

  constructor(settings: HttpSettings, sessions: Sessions, context: PartContext) {
    const { target, recorder } = context;
    const { connections, timeoutSeconds } = settings;
    this.settings = settings;
    this.sessions = sessions;
    this.context = context;
    this.client = new Client({ target, recorder, connections, timeoutSeconds });
    this.round = roundOf(settings.mix, sessions);
  }

  async open(): Promise<void> {
    const { target, tell } = this.context;
    tell('asking for the server and its tokens');
    await checkTokens(target, this.settings.timeoutSeconds);
    // Compressing one takes so long that everything else of that moment would be late.
    for (const { picture } of this.round.flatMap((name) => this.sessions[name]!))
      if (picture !== undefined) this.pictures.prepare(picture);
    const needsViral = this.round.some((name) => JSON.stringify(this.sessions[name]).includes('{viral}'));
    if (needsViral) this.shared = { viral: await this.postViral() };
  }

  async run({ startAt, measuredFrom, endAt, signal }: RunTimes): Promise<void> {
    const { target, recorder, nextNumber } = this.context;
    const tools = {
      client: this.client,
      recorder,
      pictures: this.pictures,
      shared: this.shared,
      nextNumber,
      random: Math.random,
      signal,
    };
    const underWay = new Set<Promise<void>>();
    await arrive({ rate: this.settings.rate, startAt, measuredFrom, endAt, signal }, (begunAt, number) => {
      const name = this.round[number % this.round.length]!;
      if (underWay.size >= loadLimits.sessionsAtOnceMax) {
        if (recorder.isMeasured(begunAt)) this.unbegun += 1;
        return;
      }
      if (recorder.isMeasured(begunAt)) this.begun += 1;
      const token = target.tokens[number % target.tokens.length];
      const session = runSession(this.sessions[name]!, { begunAt, token, endAt }, tools).finally(() =>
        underWay.delete(session),
      );
      underWay.add(session);
    });
    await Promise.all(underWay);
  }

  facts(seconds: number) {
    return {
      sessionsAsked: Math.round(arrivalsBetween(this.settings.rate, 0, seconds)),
      sessionsBegun: this.begun,
      sessionsNotBegun: this.unbegun,
    };
  }

  warnings(): readonly string[] {
    return this.unbegun === 0
      ? []
      : [`${this.unbegun} sessions did not begin: ${loadLimits.sessionsAtOnceMax} were under way.`];
  }

  close(): Promise<void> {
    return this.client.close();
  }

  /** The status that everybody looks at. */
  private async postViral(): Promise<string> {
    const { target, nextNumber } = this.context;
    const answer = await this.client.send({
      name: 'the viral post',
      method: 'POST',
      path: '/api/v1/statuses',
      token: target.tokens[0],
      body: Buffer.from(JSON.stringify({ status: textOf(nextNumber()), visibility: 'public' })),
      contentType: 'application/json',
      dueAt: performance.now(),
    });
    const status =
      answer === undefined ? undefined : (jsonOf(answer.body.toString('utf8')) as { id?: unknown } | undefined);
    if (typeof status?.id !== 'string')
      throw new LoadFailure(
        'tokenRefused',
        `The post that everybody looks at was refused (${answer?.status ?? 'no answer'}).`,
      );
    return status.id;
  }
}

/** Spread evenly: of a mix of 3 and 1 every fourth session is the other one. */
function roundOf(mix: Readonly<Record<string, number>>, sessions: Sessions): string[] {
  const lightest = Math.min(...Object.values(mix));
  const places = Object.entries(mix).flatMap(([name, weight]) => {
    if (sessions[name] === undefined)
      throw new LoadFailure(
        'scenarioInvalid',
        `There is no session "${name}" for the mix; there are ${Object.keys(sessions).join(', ')}.`,
      );
    const times = Math.round((weight / lightest) * 10) / 10;
    return Array.from({ length: Math.max(1, Math.round(times)) }, (_, index) => ({ name, at: (index + 0.5) / times }));
  });
  return places.toSorted((one, other) => one.at - other.at).map(({ name }) => name);
}
