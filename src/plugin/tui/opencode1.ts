import { quietly, quietlyNow } from '../base/quietly';
import { type BusEvent, COLOURS, type SlotContext, type TuiApi } from './host';
import { createCounter, drawnLine, loadSolid } from './line';
import { readStatus, TUI_HELLO, type TuiLine, type TuiStatus } from './messages';

/** The companion may start after the interface. */
const ASK_AGAIN_MS = 2_000;
const ASKED_MAX = 60;
const ORDER = 50;

/** Beside the prompt only half of the line fits. Never rejects. */
export async function startTui1(api: TuiApi): Promise<void> {
  const stops: (() => void)[] = [];
  const end = (): void => {
    for (const stop of stops.splice(0)) quietlyNow(stop);
  };
  try {
    const ask = await draw(api, stops);
    api.lifecycle.onDispose(end);
    ask.start();
  } catch {
    // silent: an interface of another shape is left without the line
    end();
  }
}

/** @throws if OpenCode's API has changed. */
async function draw(api: TuiApi, stops: (() => void)[]): Promise<Asking> {
  const { solid, createSignal } = await loadSolid();
  const [status, setStatus] = createSignal<TuiStatus>({ home: null, sessions: {} });
  const counter = createCounter(createSignal);
  stops.push(counter.stop);
  const read = (): TuiLine | null => quietlyNow(() => lineFor(api, status()) ?? null);
  const line = ({ theme }: SlotContext): unknown =>
    drawnLine(solid, {
      colour: () => theme.current[COLOURS[read()?.tone ?? 'well']],
      // OpenCode's own indent.
      text: () => textOf(counter.textOf(read())),
    });
  const ask = askUntilAnswered(api);
  stops.push(ask.stop);
  const hear = (type: string, handle: (event: BusEvent) => void): void => {
    stops.push(api.event.on(type, (event) => void quietlyNow(() => handle(event))));
  };
  hear('tui.command.execute', ({ properties }) => {
    const status = readStatus(properties?.command);
    if (!status) return;
    ask.stop();
    setStatus(status);
    counter.follow(status);
  });
  // A restarted companion does not know this listener.
  hear('server.instance.disposed', ask.start);
  api.slots.register({ order: ORDER, slots: { app_bottom: line } });
  return ask;
}

const textOf = (text: string): string => (text === '' ? '' : `  ${text}`);

function lineFor({ route: { current } }: TuiApi, { home, sessions }: TuiStatus): TuiLine | null | undefined {
  if (current.name === 'home') return home;
  const session = current.params?.sessionID;
  return typeof session === 'string' && Object.hasOwn(sessions, session) ? sessions[session] : null;
}

type Asking = Readonly<{ start(): void; stop(): void }>;

function askUntilAnswered({ client, state }: TuiApi): Asking {
  let timer: ReturnType<typeof setInterval> | undefined;
  const stop = (): void => clearInterval(timer);
  const ask = (): void => {
    const body = { type: 'tui.command.execute', properties: { command: TUI_HELLO } } as const;
    void quietly(async () => client.tui.publish({ directory: state.path.directory, body }));
  };
  return {
    stop,
    start() {
      stop();
      let left = ASKED_MAX;
      timer = setInterval(() => (left-- > 0 ? ask() : stop()), ASK_AGAIN_MS);
      ask();
    },
  };
}
