import { randomBytes } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { DEFAULT_HEALTH, type Evidence, type ModelId, type SeenWindow } from '../../../src/engine';
import { get, levelAt, returnDue } from '../../../src/engine/tools';
import { type FleetIdentity, type FleetLink, joinFleet } from '../../../src/features/fleet/node/link';
import { type FleetMoney, NO_MONEY } from '../../../src/features/fleet/node/money';
import { accountMark } from '../../../src/features/fleet/node/seal';
import type { ServerAddress } from '../../../src/features/fleet/node/server';
import { DIRECTORY, EVIDENCE, scopeOf, World } from '../../engine/world';

export const SECRET = 'a secret of this team, and of no other one';
/** The account that all of them know as provider `a`. */
export const MARK = accountMark(SECRET, 'https://api.example.com a-key');

export const HOUR_LIMIT: Evidence = { ...EVIDENCE.rateLimit, headers: { 'retry-after': '3600' } };

/** A machine of a fleet with a real clock and a real server. */
export class Member {
  readonly world = new World();
  readonly link: FleetLink;
  readonly id: string;
  /** Engines begin to count whenever they like. */
  readonly #startedAt = Math.random() * 1e9;
  /** How often its health was changed by what others say. */
  heard = 0;

  constructor(
    readonly name: string,
    address: ServerAddress,
    changes: Partial<FleetIdentity> = {},
    money: FleetMoney = NO_MONEY,
  ) {
    this.id = changes.id ?? randomBytes(8).toString('hex');
    this.link = joinFleet(
      {
        team: 'acme',
        secret: SECRET,
        name,
        address,
        ignored: [],
        share: ['health', 'headroom'],
        version: '1.2.3',
        ...changes,
        id: this.id,
      },
      {
        state: () => this.world.state,
        now: () => this.#now(),
        tell: (event) => {
          this.heard++;
          this.#at();
          this.world.tell(event);
        },
        random: Math.random,
        money,
      },
    );
    this.link.use(new Map([['a', MARK]]));
    onTestFinished(() => this.link.close());
  }

  #now(): number {
    return this.#startedAt + performance.now();
  }

  #at(): World {
    this.world.now = this.#now();
    return this.world;
  }

  fails(model: ModelId, evidence: Evidence = HOUR_LIMIT): void {
    this.#at().failingAlone(model, evidence);
    this.link.look();
  }

  /** Its models are limited, by its own estimate, for so long and no longer. */
  failsFor(ms: number, ...models: readonly ModelId[]): void {
    const health = { ...DEFAULT_HEALTH, cooldownMs: ms, retryOriginalAfterMs: ms };
    this.world.configure(scopeOf(models, { health }));
    for (const model of models) this.fails(model, EVIDENCE.rateLimit);
  }

  answers(model: ModelId): void {
    const { attempt } = this.#at().start(`own-${this.world.now}`, model, { purpose: 'internal' });
    this.#at().succeed(attempt);
    this.link.look();
  }

  resets(model: ModelId): void {
    this.#at().tell({ type: 'health.reset', target: { model }, actor: 'somebody' });
    this.link.look();
  }

  /** A response tells how full limits of the account are. */
  hears(...windows: readonly SeenWindow[]): void {
    this.#at().tell({ type: 'headroom.seen', attempt: null, directory: DIRECTORY, model: 'a/1', windows });
    this.link.look();
  }

  /** How full its limits are now, and who has heard so. */
  levels(): readonly (readonly [used: number | undefined, machine: string | undefined])[] {
    const now = this.#now();
    return (get(this.world.state.windows, 'a') ?? []).map((each) => [levelAt(each, now)?.used, each.machine]);
  }

  /** What it shows of a model now. */
  shows(model: ModelId): string {
    return this.#at().standing(model).state;
  }

  /** True if nobody has asked a model since its limit has ended. */
  isDue(model: ModelId): boolean {
    return returnDue(this.world.state, model, this.#now()) !== null;
  }

  /** How long until a model may be asked again, in ms. */
  outFor(model: ModelId): number | null {
    return this.#at().standing(model).inMs;
  }
}
