/**
 * Machines with an address each, on one wire, between which it can be cut: network namespaces, which only root makes. What was sent
 * into a cut vanishes, as on a wire, and nobody is told.
 */
import { execFileSync } from 'node:child_process';

export interface Machine {
  readonly name: string;
  readonly address: string;
  /** What starts a program there. */
  readonly prefix: readonly string[];
}

interface Placed extends Machine {
  readonly namespace: string;
  readonly hardware: string;
}

/** Nobody on the wire has it. */
const nobody = '02:00:00:00:00:01';

export class Machines {
  /** Of whoever asks here. */
  readonly own: string;
  private readonly network: string;
  private readonly bridge: string;
  private readonly machines = new Map<string, Placed>();
  private cuts: (() => void)[] = [];

  /** `number`: of the network, from 1 to 254; two at a time need two. */
  constructor(names: readonly string[], number = 1 + (process.pid % 254)) {
    this.network = `10.213.${number}`;
    this.own = `${this.network}.1`;
    this.bridge = `mur${number}`;
    try {
      ip('link', 'add', this.bridge, 'type', 'bridge');
      ip('addr', 'add', `${this.own}/24`, 'dev', this.bridge);
      ip('link', 'set', this.bridge, 'up');
      for (const [index, name] of names.entries()) this.add(name, number, index);
    } catch (error) {
      this.remove();
      throw error;
    }
  }

  /** Why there can be none. */
  static get missing(): string | undefined {
    if (process.getuid?.() !== 0) return 'only root makes network namespaces';
    try {
      new Machines(['trial'], 254).remove();
      return undefined;
    } catch (error) {
      return `network namespaces cannot be made: ${error instanceof Error ? error.message : String(error)}`;
    }
  }

  at(name: string): Machine {
    return this.placed(name);
  }

  /** In both directions. `others` may have `clients`, which is whoever asks here. */
  cut(name: string, others: readonly string[]): void {
    const one = this.placed(name);
    for (const other of others) {
      if (other === 'clients') {
        this.hide(one, this.own, hardwareOf(this.bridge));
        this.hide(undefined, one.address, one.hardware);
      } else {
        const peer = this.placed(other);
        this.hide(one, peer.address, peer.hardware);
        this.hide(peer, one.address, one.hardware);
      }
    }
  }

  /** Ends all cuts. */
  heal(): void {
    for (const end of this.cuts.splice(0)) end();
  }

  remove(): void {
    for (const { namespace } of this.machines.values()) quietly(() => ip('netns', 'del', namespace));
    this.machines.clear();
    quietly(() => ip('link', 'del', this.bridge));
  }

  private add(name: string, number: number, index: number): void {
    const namespace = `${this.bridge}-${index}`;
    const [outer, inner] = [`${this.bridge}o${index}`, `${this.bridge}i${index}`];
    const address = `${this.network}.${index + 2}`;
    ip('netns', 'add', namespace);
    const hardware = `02:d5:${hex(number)}:00:00:${hex(index + 2)}`;
    this.machines.set(name, { name, address, namespace, hardware, prefix: ['ip', 'netns', 'exec', namespace] });
    ip('link', 'add', outer, 'type', 'veth', 'peer', 'name', inner, 'address', hardware);
    ip('link', 'set', outer, 'master', this.bridge, 'up');
    ip('link', 'set', inner, 'netns', namespace, 'name', 'eth0');
    ip('-n', namespace, 'addr', 'add', `${address}/24`, 'dev', 'eth0');
    ip('-n', namespace, 'link', 'set', 'eth0', 'up');
    ip('-n', namespace, 'link', 'set', 'lo', 'up');
  }

  /** What a machine, or whoever asks here, sends to an address reaches nobody. */
  private hide(from: Placed | undefined, address: string, hardware: string): void {
    const [where, device] = from === undefined ? [[], this.bridge] : [['-n', from.namespace], 'eth0'];
    const point = (to: string) =>
      ip(...where, 'neigh', 'replace', address, 'lladdr', to, 'dev', device, 'nud', 'permanent');
    point(nobody);
    this.cuts.push(() => point(hardware));
  }

  private placed(name: string): Placed {
    const found = this.machines.get(name);
    if (found === undefined) throw new Error(`there is no machine ${name}`);
    return found;
  }
}

function ip(...words: readonly string[]): string {
  return execFileSync('ip', words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

function hardwareOf(device: string): string {
  return /link\/ether (\S+)/.exec(ip('link', 'show', device))![1]!;
}

function hex(number: number): string {
  return number.toString(16).padStart(2, '0');
}

/** What was not made need not be removed. */
function quietly(work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
  }
}
