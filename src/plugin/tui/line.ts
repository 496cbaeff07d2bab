import { stopwatch } from '../../wording/stopwatch';
import { quietlyNow } from '../base/quietly';
import type { TuiLine, TuiStatus } from './messages';

/** Must be the instances that OpenCode draws with. */
export async function loadSolid() {
  const [solid, { createSignal }] = await Promise.all([import('@opentui/solid'), import('solid-js')]);
  return { solid, createSignal };
}

type Solid = Awaited<ReturnType<typeof loadSolid>>['solid'];

/** Reactive; null if OpenCode's API has changed. */
export const drawnLine = (solid: Solid, { colour, text }: Readonly<{ colour(): unknown; text(): string }>): unknown =>
  quietlyNow(() => {
    const element = solid.createElement('text');
    // More lines would take room from the conversation.
    solid.setProp(element, 'wrapMode', 'none');
    solid.effect(() => quietlyNow(() => solid.setProp(element, 'fg', colour())));
    solid.insert(element, text);
    return element;
  });

const SECOND_MS = 1_000;

export type Counter = Readonly<{
  textOf(line: TuiLine | null | undefined): string;
  /** Runs while a line has `since`. */
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
