/**
 * /admin/machine: what the machine does, now and in the last minute. GET /web/admin/machine: the same once a second, as
 * server-sent events whose data is the markup of the panels, with the cookie of the browser, as for every page.
 */
import { Failure } from '../../../../runtime/errors.ts';
import { html } from '../../../../services/words/html.ts';
import type { GatewayServices } from '../../../gateway-services.ts';
import { type AnswerSink, stream } from '../../../http/answers.ts';
import type { RawContext } from '../../../http/context.ts';
import { browserOf } from '../../../oauth/browser.ts';
import { type Machine, machineLimits } from '../../../operator/machine/machine.ts';
import type { MachineView } from '../../../operator/machine/machine-view.ts';
import { type RawRoute, rawRoute } from '../../../route.ts';
import { pageRoute } from '../../page-handler.ts';
import { type MemberVisit, memberOf, visitWithoutForms } from '../../visit.ts';
import { mayDo, sections } from '../sections.ts';
import { staffAnswer } from '../staff-frame.ts';
import { staffPage } from '../staff-visit.ts';
import { machinePanels } from './machine-panels.ts';

const { permission } = sections.machine;
const livePath = '/web/admin/machine';

/** Open pages of one gateway; more are refused. */
const watchersMax = 20;

/** Functions, because the machine is known once its thread runs. */
export function machineRoutes(machineOf: () => Machine): RawRoute<GatewayServices>[] {
  let watchers = 0;
  const page = staffPage(permission, async (visit) => {
    const words = visit.words.machine;
    const views = await machineOf().views();
    const main = html`<p class="list fine">${words.hint({ limit: machineLimits.historyMax })}</p>
<div class="machine" data-machine="${livePath}">${machinePanels(visit, views)}</div>`;
    return staffAnswer(visit, { section: 'machine', title: words.title, main });
  });
  const live = rawRoute<GatewayServices>({
    method: 'GET',
    path: livePath,
    demands: permission,
    handler(context) {
      const { request } = context;
      const site = request.header('sec-fetch-site');
      if (site !== undefined && site !== 'same-origin') throw new Failure('forbidden');
      if (browserOf(context.services, request).account === undefined) throw new Failure('tokenRequired');
      if (watcherOf(context) === undefined) throw new Failure('forbidden');
      if (watchers >= watchersMax) throw new Failure('tooManyRequests');
      return stream({
        contentType: 'text/event-stream',
        headers: { 'Cache-Control': 'private, no-store', 'X-Accel-Buffering': 'no' },
        open(sink) {
          watchers += 1;
          const end = sendTo(context, sink, machineOf());
          return () => {
            watchers -= 1;
            end();
          };
        },
      });
    },
  });
  return [pageRoute('/admin/machine', page), live];
}

/** Whoever is signed in now, if the machine is for them: looked up before anything is sent. */
function watcherOf({ services, request, cause }: RawContext<GatewayServices>): MemberVisit | undefined {
  const { account } = browserOf(services, request);
  const visit = memberOf(visitWithoutForms({ services, request, cause }, account));
  return visit !== undefined && mayDo(visit, permission) ? visit : undefined;
}

/** Views that a slow client has no room for are left out. */
function sendTo(context: RawContext<GatewayServices>, sink: AnswerSink, machine: Machine): () => void {
  let hasRoom = sink.write(':\n\n');
  sink.onDrain(() => {
    hasRoom = true;
  });
  return machine.watch((views: readonly MachineView[]) => {
    if (!hasRoom) return;
    const visit = watcherOf(context);
    if (visit === undefined) {
      sink.end();
      return;
    }
    const { markup } = machinePanels(visit, views);
    hasRoom = sink.write(`data: ${markup.replaceAll(/\r\n?|\n/g, '\ndata: ')}\n\n`);
  });
}
