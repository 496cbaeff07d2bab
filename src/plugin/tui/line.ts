import { stopwatch } from '../../wording/stopwatch';
import { quietlyNow } from '../base/quietly';
import type { TuiLine, TuiStatus } from './messages';

/** Given by OpenCode itself: they must be the very ones that it draws with. */
export async function loadSolid() {
  const [solid, { createSignal }] = await Promise.all([import('@opentui/solid'), import('solid-js')]);
  return { solid, createSignal };
}

type Solid = Awaited<ReturnType<typeof loadSolid>>['solid'];

/** A line that is drawn anew when what it reads is another; null where OpenCode is otherwise than it was seen. */
export const drawnLine = (solid: Solid, { colour, text }: Readonly<{ colour(): unknown; text(): string }>): unknown =>
  quietlyNow(() => {
    const element = solid.createElement('text');
    // One line: it would take room from the conversation otherwise.
    solid.setProp(element, 'wrapMode', 'none');
    solid.effect(() => quietlyNow(() => solid.setProp(element, 'fg', colour())));
    solid.insert(element, text);
    return element;
  });

const SECOND_MS = 1_000;

/** The text of lines, of which some count up. */
export type Counter = Readonly<{
  textOf(line: TuiLine | null | undefined): string;
  /** Counts while a line of the status has a time to count from. */
  follow(status: TuiStatus): void;
  stop(): void;
}>;

export function createCounter(createSignal: Awaited<ReturnType<typeof loadSolid>>['createSignal']): Counter {
  const [now, setNow] = createSignal(Date.now());
  let timer: ReturnType<typeof setInterval> | undefined;
  const stop = (): void => {
    clearInterval(timer);
    timer = undefined;
  };
  return {
    stop,
    textOf(line) {
      if (!line) return '';
      return line.since === undefined ? line.text : `${line.text} ${stopwatch(now() - line.since)}`;
    },
    follow({ sessions }) {
      if (Object.values(sessions).every(({ since }) => since === undefined)) return stop();
      quietlyNow(() => setNow(Date.now()));
      timer ??= setInterval(() => void quietlyNow(() => setNow(Date.now())), SECOND_MS);
      timer.unref?.();
    },
  };
}
