import { quietly, quietlyNow } from '../base/quietly';
import { colour2, type TuiContext, type TuiEvent } from './host2';
import { createCounter, drawnLine, loadSolid } from './line';
import { noticeIn, statusIn, TUI_RPC, type TuiLine, type TuiStatus } from './messages';

/** A newer notice replaces it at once. */
const NOTICE_MS = 8_000;
/** Places above the prompt of a session, and with room at home. */
const IN_SESSION = 'session.composer.top';
const AT_HOME = 'home.footer.status';
/** Events may have been missed: request the status again. */
const ANEW = ['server.connected', 'plugin.updated'] as const;

/** Never rejects: OpenCode would show the error to the user. */
export async function startTui2(context: TuiContext): Promise<() => void> {
  const stops: (() => void)[] = [];
  const end = (): void => {
    for (const stop of stops.splice(0)) quietlyNow(stop);
  };
  try {
    await draw(context, stops);
  } catch {
    // silent: an interface of another shape is left without the line
    end();
  }
  return end;
}

async function draw(context: TuiContext, stops: (() => void)[]): Promise<void> {
  const { solid, createSignal } = await loadSolid();
  const [status, setStatus] = createSignal<TuiStatus>({ home: null, sessions: {} });
  const counter = createCounter(createSignal);
  stops.push(counter.stop);
  const take = (value: unknown): void => {
    const status = statusIn(value);
    if (!status) return;
    setStatus(status);
    counter.follow(status);
  };
  const rpc = context.client.rpc({
    id: TUI_RPC.id,
    methods: { [TUI_RPC.status]: {} },
    events: { [TUI_RPC.status]: {}, [TUI_RPC.notice]: {} },
  });
  const ask = (): void => {
    const directory = directoryOf(context);
    if (directory) void quietly(async () => take(await rpc[TUI_RPC.status]?.({}, { location: { directory } })));
  };
  const hear = (name: string, handle: (value: unknown) => void): void => {
    const ours = (event: TuiEvent): boolean => event.location?.directory === directoryOf(context);
    stops.push(
      context.data.on(`rpc.${TUI_RPC.id}.${name}`, (event) => void quietlyNow(() => ours(event) && handle(event.data))),
    );
  };
  hear(TUI_RPC.status, take);
  hear(TUI_RPC.notice, (value) => {
    const notice = noticeIn(value);
    if (notice) context.ui.toast.show({ title: 'Understudy', duration: NOTICE_MS, ...notice });
  });
  for (const type of ANEW) stops.push(context.data.on(type, () => void quietlyNow(ask)));
  const line = (read: () => TuiLine | null | undefined): unknown =>
    drawnLine(solid, {
      colour: () => colour2(context, read()?.tone ?? 'well'),
      text: () => counter.textOf(read()),
    });
  stops.push(
    context.ui.slot({ append: IN_SESSION, render: (input) => line(() => status().sessions[input.sessionID ?? '']) }),
    context.ui.slot({ append: AT_HOME, render: () => line(() => status().home) }),
  );
  ask();
}

const directoryOf = ({ location, data }: TuiContext): string | undefined =>
  (location ?? data.location.default()).directory;
