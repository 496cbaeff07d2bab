import { countError } from '../../../core/base/internal-errors';
import { counting } from '../../base/counting';
import { guarded } from '../../base/guarded';
import { loadPart } from '../../base/part';
import { quietly } from '../../base/quietly';
import type { Notice } from '../../runtime/episodes';
import { TUI_RPC, type TuiStatus } from '../../tui/messages';
import { called } from '../session/host-calls';
import type { Instance } from '../session/instance';
import type { RpcDoor } from '../session/types';

/** Changes of one moment are told together, and never while a request waits, in ms. */
const TELL_AFTER_MS = 100;
/** Notices that wait for a terminal to be there. */
const WAITING_MAX = 5;

/** What OpenCode checks of what goes through it: each side checks for itself. */
const ANYTHING = { type: 'object', additionalProperties: true } as const;
const DEFINITION = {
  id: TUI_RPC.id,
  methods: { [TUI_RPC.status]: { input: ANYTHING, output: ANYTHING } },
  events: { [TUI_RPC.status]: { schema: ANYTHING }, [TUI_RPC.notice]: { schema: ANYTHING } },
} as const;

/** What a terminal hears that asks when nothing can be said. */
const NOTHING: TuiStatus = { home: null, sessions: {} };

/** Tells the terminals of one location how the models are, once one has asked, and what happens. */
export type TuiLink = Readonly<{
  /** Shows a notice in the terminals that are open here; the newest wait for the first one. */
  notify(notice: Notice): void;
  /** Nobody is told anything any more, and nobody is answered. */
  close(): void;
}>;

/** Opens the door to the terminals where OpenCode has one. Never rejects. */
export async function openTuiLink(
  instance: Pick<Instance, 'companion' | 'context' | 'directory' | 'voice'>,
): Promise<TuiLink> {
  const { companion, context, directory, voice } = instance;
  const { brain } = companion;
  let isWanted = false;
  let waiting: Notice[] = [];
  let told = '';
  let timer: ReturnType<typeof setTimeout> | undefined;
  const status = async (): Promise<TuiStatus> => {
    const part = await loadPart('status lines', () => import('../../user/status-part'), voice.warn);
    return part?.tuiStatus(directory, companion) ?? NOTHING;
  };
  const emit = (name: string, value: unknown): void => void quietly(async () => door?.events.emit(name, value));
  // By itself, in a timer: nobody else would catch what goes wrong in it.
  const tell = guarded(
    voice.fail,
    'terminal',
    async () => {
      timer = undefined;
      const next = await status();
      const text = JSON.stringify(next);
      if (text !== told) emit(TUI_RPC.status, next);
      told = text;
    },
    { count: countError },
  );
  const tellSoon = (): void => {
    if (isWanted) timer ??= setTimeout(() => void tell(), TELL_AFTER_MS).unref();
  };
  const release = (): void => {
    for (const notice of waiting.splice(0)) emit(TUI_RPC.notice, notice);
  };
  const answer = async () => {
    isWanted = true;
    // It hears of news once it has its answer.
    setTimeout(release, TELL_AFTER_MS).unref();
    return (await counting('terminal.status', status)) ?? NOTHING;
  };
  const door: RpcDoor | null = await called(
    async () => (await context.rpc?.register?.(DEFINITION, { [TUI_RPC.status]: answer })) ?? null,
  );
  // What a step has used is noted once the engine is through with it.
  const stops = door === null ? [] : [brain.onStep(tellSoon), brain.onEntry(tellSoon)];
  return {
    notify(notice) {
      if (isWanted) emit(TUI_RPC.notice, notice);
      else waiting = [...waiting, notice].slice(-WAITING_MAX);
    },
    close() {
      for (const stop of stops) stop();
      clearTimeout(timer);
      // Not waited for: it goes with the plugin as well.
      void quietly(async () => door?.dispose?.());
    },
  };
}
