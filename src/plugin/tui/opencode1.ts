import { COLOURS, type SlotContext, type TuiApi } from './host';
import { readStatus, TUI_HELLO, type TuiLine, type TuiStatus } from './messages';

/** How often the companion is asked until it answers: it may start after the interface, in ms. */
const ASK_AGAIN_MS = 2_000;
/** Without a companion nobody ever will. */
const ASKED_MAX = 60;
/** Among other plugins' parts of the same place. */
const ORDER = 50;

/**
 * Shows in OpenCode's terminal interface who speaks, and how the lead is when that is another model: in a line of its own at the bottom, at
 * home and in each session; beside the prompt there is room for half of it. Only what the companion says is shown; without it, nothing is.
 */
export async function startTui1(api: TuiApi): Promise<void> {
  // Given by OpenCode itself: they must be the very ones that it draws with.
  const [solid, { createSignal }] = await Promise.all([import('@opentui/solid'), import('solid-js')]);
  const [status, setStatus] = createSignal<TuiStatus>({ home: null, sessions: {} });
  const line = ({ theme }: SlotContext, read: () => TuiLine | null | undefined): unknown => {
    const element = solid.createElement('text');
    // One line: it would take room from the conversation otherwise.
    solid.setProp(element, 'wrapMode', 'none');
    solid.effect(() => solid.setProp(element, 'fg', theme.current[COLOURS[read()?.tone ?? 'well']]));
    // As far from the edge as all that OpenCode draws.
    solid.insert(element, () => textOf(read()));
    return element;
  };
  const ask = askUntilAnswered(api);
  const stops = [
    api.event.on('tui.command.execute', ({ properties }) => {
      const heard = readStatus(properties?.command);
      if (!heard) return;
      ask.stop();
      setStatus(heard);
    }),
    // A companion that has begun anew does not know that somebody listens.
    api.event.on('server.instance.disposed', ask.start),
  ];
  api.slots.register({
    order: ORDER,
    slots: { app_bottom: (context) => line(context, () => lineFor(api, status())) },
  });
  api.lifecycle.onDispose(() => {
    for (const stop of [...stops, ask.stop]) stop();
  });
  ask.start();
}

const textOf = (line: TuiLine | null | undefined): string => (line ? `  ${line.text}` : '');

/** What is said of the view that is open. */
function lineFor({ route: { current } }: TuiApi, { home, sessions }: TuiStatus): TuiLine | null | undefined {
  if (current.name === 'home') return home;
  const session = current.params?.sessionID;
  return typeof session === 'string' ? sessions[session] : null;
}

function askUntilAnswered({ client, state }: TuiApi): Readonly<{ start(): void; stop(): void }> {
  let timer: ReturnType<typeof setInterval> | undefined;
  const stop = (): void => clearInterval(timer);
  const ask = (): void => {
    const body = { type: 'tui.command.execute', properties: { command: TUI_HELLO } } as const;
    client.tui.publish({ directory: state.path.directory, body }).catch(() => undefined);
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
