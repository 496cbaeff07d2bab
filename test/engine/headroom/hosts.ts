import { type Decision, type EngineEvent, type EngineState, initialState, step } from '../../../src/engine';
import { asSynced, exportHealth, joined, NOTHING_SHARED, sharedOf } from '../../../src/engine/tools';
import { asSharedHealth, SharedHealth } from '../../../src/protocol';

/** OpenCode processes of one user: each decides alone, and hears of the others by an app, by a file, or not at all. */
export type Hosts = Readonly<{
  tell(host: number, event: EngineEvent): readonly Decision[];
  states(): readonly EngineState[];
}>;

/** How news goes from one process to the others: over sockets to an app and back, or through the file of health. */
export type Sharing = 'app' | 'file' | 'nothing';

/** One way to the app, or until a file is written, in ms; both are longer than was measured. */
const WAY_MS = 10;
const WRITE_MS = 20;

type Around = Readonly<{ now(): number; later(ms: number, act: () => void): void }>;

export function openHosts(count: number, sharing: Sharing, { now, later }: Around): Hosts {
  const states: EngineState[] = Array.from({ length: count }, () => initialState);
  const sent = states.map(() => 0);
  const heard = states.map(() => 0);
  let app = initialState;
  let file = NOTHING_SHARED;

  const play = (host: number, event: EngineEvent): readonly Decision[] => {
    const result = step(states[host] as EngineState, event, now(), 0.5);
    states[host] = result.state;
    return result.decisions;
  };
  /** The app's view, for whoever it is not older than what happened there. */
  const sync = (from: number): void => {
    const health = exportHealth(app, now());
    const seen = [...heard];
    later(WAY_MS, () => {
      for (let host = 0; host < count; host++)
        if (host !== from && seen[host] === sent[host]) play(host, { type: 'health.synced', health });
    });
  };
  const tellApp = (host: number, event: EngineEvent): void => {
    sent[host] = (sent[host] ?? 0) + 1;
    later(WAY_MS, () => {
      heard[host] = (heard[host] ?? 0) + 1;
      app = step(app, event, now(), 0.5).state;
      sync(host);
    });
  };
  const readFile = (host: number): void => {
    const own = sharedOf(states[host] as EngineState, NOTHING_SHARED, 0);
    play(host, { type: 'health.synced', health: asSynced(joined(own, file), now(), 0) });
  };
  const writeFile = (host: number): void =>
    later(WRITE_MS, () => {
      const joint = joined(sharedOf(states[host] as EngineState, NOTHING_SHARED, 0), file);
      // As it comes out of the file again; whoever has written it takes the others' part in at once.
      file = asSharedHealth(SharedHealth.parse(JSON.parse(JSON.stringify(joint))));
      readFile(host);
    });

  return {
    tell(host, event) {
      const isDecided = event.type === 'prompt.submitted' || event.type === 'attempt.started';
      if (sharing === 'file' && isDecided) readFile(host);
      const decisions = play(host, event);
      if (sharing === 'file' && (event.type === 'headroom.seen' || event.type.startsWith('attempt.'))) writeFile(host);
      if (sharing === 'app') {
        const [decision] = decisions;
        const { action, code } = decision ?? {};
        const decided = action && { kind: action.kind, code, ...('to' in action ? { to: action.to } : {}) };
        tellApp(host, (decided && 'turn' in event ? { ...event, decided } : event) as EngineEvent);
      }
      return decisions;
    },
    states: () => states,
  };
}
