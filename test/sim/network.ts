/**
 * Carries everything that leaves a partition: copies it, and loses, repeats, delays and reorders it according to the
 * faults.
 */
import type { Acknowledgement, Frame } from '../../src/runtime/ports.ts';
import type { World } from './world.ts';

const lateMilliseconds = 4_000;
const effectsRestartMilliseconds = 300;

export class SimulatedNetwork {
  private readonly world: World;

  constructor(world: World) {
    this.world = world;
  }

  frame(frame: Frame): void {
    this.world.detail(() => `partition ${frame.source} sends frame ${frame.sequence} to ${frame.destination}`);
    const copy = { ...frame, bytes: Uint8Array.from(frame.bytes) };
    this.carry(() => this.world.seats[frame.destination]!.partition?.receive(copy));
  }

  acknowledgement(acknowledgement: Acknowledgement): void {
    const { source, destination, sequence } = acknowledgement;
    const { seats, faults, random } = this.world;
    this.world.detail(() => `partition ${destination} has taken frame ${sequence} of ${source}`);
    const deliver = () => seats[source]!.partition?.acknowledged(acknowledgement);
    // Partitions of one process are connected directly.
    if (seats[source]!.process === seats[destination]!.process && !random.chance(faults.lost)) deliver();
    else this.carry(deliver);
  }

  /** Runs an effect on a thread that outlives the partition's process, unless its disk is replaced by an older copy. */
  effect(partition: number, sequence: number, effect: number, request: unknown): void {
    const { world } = this;
    const { faults, random, timeline } = world;
    const copy = structuredClone(request);
    const seat = world.seats[partition]!;
    const { restores } = seat;
    const after = (milliseconds: number, work: () => void) =>
      timeline.after(milliseconds, () => {
        if (seat.restores === restores) work();
      });
    world.detail(() => `partition ${partition} asks for effect ${sequence}`);
    after(this.travel(), () => {
      if (random.chance(faults.effectLost)) {
        world.note(`the effects' thread dies with effect ${sequence} of ${partition}`);
        timeline.after(effectsRestartMilliseconds, () => {
          for (const each of world.seats) each.partition?.repeatEffects(() => true);
        });
        return;
      }
      if (random.chance(faults.effectFails)) {
        world.note(`the runner of effect ${sequence} of ${partition} fails`);
        after(this.travel(), () => seat.partition?.effectFailed(sequence, 'simulated failure'));
        return;
      }
      const answer = world.workload.runEffect(effect, copy);
      const times = random.chance(faults.effectRepeated) ? 2 : 1;
      for (let time = 0; time < times; time += 1)
        after(this.travel(), () => seat.partition?.effectAnswered(sequence, structuredClone(answer)));
    });
  }

  /** Delivers, subject to the faults. */
  carry(deliver: () => void): void {
    const { faults, random, timeline } = this.world;
    if (random.chance(faults.lost)) return;
    timeline.after(this.travel(), deliver);
    if (random.chance(faults.repeated)) timeline.after(this.travel() + random.below(lateMilliseconds), deliver);
  }

  travel(): number {
    const { faults, random } = this.world;
    const delay = random.below(faults.travelMilliseconds + 1);
    return random.chance(faults.late) ? delay + random.below(lateMilliseconds) : delay;
  }
}
