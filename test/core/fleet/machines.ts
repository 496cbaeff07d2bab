import { type ModelId, standingOf } from '../../../src/engine';
import { type Said, viewOf } from '../../../src/engine/tools';
import { createExchange, type Exchange, type SeenEnd } from '../../../src/features/fleet/core/exchange';
import { World } from '../../engine/world';

/** One machine of a fleet: an engine under a clock of its own, that began when it liked. */
export class Machine {
  readonly world = new World();
  readonly exchange: Exchange;
  /** What it has heard others see end. */
  readonly ended: SeenEnd[] = [];
  /** How often it was told something of others that changed its health. */
  heard = 0;

  constructor(
    readonly name: string,
    readonly startedAt: number,
  ) {
    const { world } = this;
    this.exchange = createExchange(
      {
        state: () => world.state,
        now: () => world.now,
        ended: (all) => void this.ended.push(...all),
        tell: (event) => {
          this.heard++;
          world.tell(event);
        },
      },
      startedAt,
    );
  }

  /** Something happens on this machine. */
  does(act: (world: World) => void): void {
    act(this.world);
    this.exchange.look();
  }

  standing(model: ModelId): { state: string; use: string; code: string | null; inMs: number | null } {
    return this.world.standing(model);
  }

  /** A request of OpenCode's own leaves, whatever the model shows, and is answered. */
  answer(model: ModelId): void {
    this.does((world) => {
      const { attempt } = world.start(`own-${world.now}`, model, { purpose: 'internal' });
      world.succeed(attempt);
    });
  }

  /** For how long its limit or its circuit keeps a model out; null where neither does. */
  outFor(model: ModelId): number | null {
    const { limit = null, breaker } = this.world.state.models.flat().find(([key]) => key === model)?.[1] ?? {};
    const ends = [limit?.until, breaker?.kind === 'open' ? breaker.until : undefined].map(
      (at) => (at ?? Number.NEGATIVE_INFINITY) - this.world.now,
    );
    return Math.max(...ends) > 0 ? Math.max(...ends) : null;
  }

  /** Whose word it is that a model stands as it does, or who probes it; null where that is this machine. */
  machineBehind(model: ModelId): string | null | undefined {
    return viewOf(this.world.state, this.world.now).models.find(({ key }) => key === model)?.machine;
  }

  /** By whom a limit in force was found out; undefined where that was here. */
  limitFrom(model: ModelId): string | undefined {
    return this.world.state.models.flat().find(([key]) => key === model)?.[1].limit?.machine;
  }
}

const SILENT = { words: [], windows: [] };

/** Machines that share the account which all of them know as provider `a`, and what carries their words. */
export class Fleet {
  readonly machines: readonly Machine[];
  readonly said = new Map<string, Said>();
  now = 0;

  constructor(...names: readonly string[]) {
    this.machines = names.map((name, at) => new Machine(name, 1_000_000 * at));
    for (const { world, startedAt } of this.machines) world.now = -startedAt;
  }

  get(name: string): Machine {
    const found = this.machines.find((machine) => machine.name === name);
    if (!found) throw new Error(`no machine ${name}`);
    return found;
  }

  wait(ms: number): this {
    this.now += ms;
    for (const { world } of this.machines) {
      world.wait(ms);
      world.tick();
    }
    return this;
  }

  /** One machine says what it has to say. */
  speak(machine: Machine): void {
    const mine = machine.exchange.mine('a');
    if (mine) this.said.set(machine.name, { ...mine, machine: machine.name, at: this.now });
    else if (this.said.has(machine.name))
      this.said.set(machine.name, { ...SILENT, machine: machine.name, at: this.now });
  }

  /** One machine hears all others. */
  hear(machine: Machine): void {
    machine.exchange.heard(
      'a',
      this.machines
        .filter(({ name }) => name !== machine.name)
        .map(({ name }) => [name, this.said.get(name) ?? null] as const),
    );
  }

  /** All machines say and hear everything, until nothing is new. */
  sync(): this {
    let before = '';
    for (let round = 0; round < 10; round++) {
      for (const machine of this.machines) this.speak(machine);
      for (const machine of this.machines) this.hear(machine);
      const now = JSON.stringify([...this.said.values()].map(({ words, windows }) => [words, windows]));
      if (now === before) return this;
      before = now;
    }
    throw new Error('the machines never agree');
  }

  /** What each machine shows of a model. */
  shows(model: ModelId): readonly string[] {
    return this.machines.map(({ world }) => standingOf(world.state, model, world.now).state);
  }
}
