/** The operator's command line over the services of a gateway, without a socket. */
import { createAdminHandler } from '../../../src/gateway/operator/admin/handler.ts';
import { runCommand } from '../../../src/gateway/operator/cli/main.ts';
import type { Services } from '../../../src/services/services.ts';

export interface Typed {
  readonly code: number;
  readonly printed: string[];
  readonly complaints: string[];
}

/** Arguments as a shell splits them; quotation marks keep words together. */
function split(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|\S+/g)].map(([word, quoted]) => quoted ?? word);
}

/** `closed` is called when the connection to the server is given back. */
export async function typed(
  services: Services,
  line: string,
  { running = false, closed = () => undefined }: { running?: boolean; closed?: () => void } = {},
): Promise<Typed> {
  const printed: string[] = [];
  const complaints: string[] = [];
  const handle = createAdminHandler(services);
  const code = await runCommand(split(line), {
    openAdmin: async () => ({
      running,
      // What goes over a socket has been JSON.
      request: async (request) => JSON.parse(JSON.stringify(await handle(JSON.parse(JSON.stringify(request))))),
      close: async () => closed(),
    }),
    print: (text) => void printed.push(text),
    repartition: () => Promise.reject(new Error('the folder stays')),
    check: () => Promise.resolve({ sound: true, lines: [] }),
    complain: (text) => void complaints.push(text),
  });
  return { code, printed, complaints };
}
