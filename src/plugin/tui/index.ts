import { COLOURS, type SlotContext, type TuiApi } from './host';
import { readStatus, TUI_HELLO, type TuiLine, type TuiStatus } from './messages';

/** How often the companion is asked until it answers: it may start after the interface, in ms. */
const ASK_AGAIN_MS = 2_000;
/** Without a companion nobody ever will. */
const ASKED_MAX = 60;
/** Among other plugins' parts of the same place. */
const ORDER = 50;

/**
 * Shows in OpenCode's terminal interface who speaks, and how the lead is when that is another model: beside the prompt, at
 * home and in each session. Only what the companion says is shown; without it, nothing is.
 */
async function startTui(api: TuiApi): Promise<void> {
  // Given by OpenCode itself: they must be the very ones that it draws with.
  const [solid, { createSignal }] = await Promise.all([import('@opentui/solid'), import('solid-js')]);
  const [status, setStatus] = createSignal<TuiStatus>({ home: null, sessions: {} });
  const line = ({ theme }: SlotContext, read: () => TuiLine | null | undefined): unknown => {
    const element = solid.createElement('text');
    solid.effect(() => solid.setProp(element, 'fg', theme.current[COLOURS[read()?.tone ?? 'well']]));
    solid.insert(element, () => read()?.text ?? '');
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
    slots: {
      home_prompt_right: (context) => line(context, () => status().home),
      session_prompt_right: (context, place) => line(context, () => status().sessions[place?.session_id ?? '']),
    },
  });
  api.lifecycle.onDispose(() => {
    for (const stop of [...stops, ask.stop]) stop();
  });
  ask.start();
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

/** A file of its own beside the companion's: OpenCode loads it from `tui.json`, for whoever wants it. */
export default { id: 'understudy-tui', tui: startTui };
