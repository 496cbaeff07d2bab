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

/** Collects changes and keeps work out of requests, in ms. */
const TELL_AFTER_MS = 100;
const WAITING_MAX = 5;

/** Each side validates messages itself. */
const ANYTHING = { type: 'object', additionalProperties: true } as const;
const DEFINITION = {
  id: TUI_RPC.id,
  methods: { [TUI_RPC.status]: { input: ANYTHING, output: ANYTHING } },
  events: { [TUI_RPC.status]: { schema: ANYTHING }, [TUI_RPC.notice]: { schema: ANYTHING } },
} as const;

const NOTHING: TuiStatus = { home: null, sessions: {} };

/** Sends status and notices to one location's terminals, once one has requested them. */
export type TuiLink = Readonly<{
  notify(notice: Notice): void;
  close(): void;
}>;

/** Never rejects. */
export async function openTuiLink(
  instance: Pick<Instance, 'companion' | 'context' | 'directory' | 'voice'>,
): Promise<TuiLink> {
  const { companion, context, directory, voice } = instance;
  const { brain } = companion;
  let isWanted = false;
  let waiting: Notice[] = [];
  let lastText = '';
  let timer: ReturnType<typeof setTimeout> | undefined;
  const status = async (): Promise<TuiStatus> => {
    const part = await loadPart('status lines', () => import('../../user/status-part'), voice.warn);
    return part?.tuiStatus(directory, companion) ?? NOTHING;
  };
  const emit = (name: string, value: unknown): void => void quietly(async () => door?.events.emit(name, value));
  // Runs in a timer, where nothing else would catch an error.
  const tell = guarded(
    voice.fail,
    'terminal',
    async () => {
      timer = undefined;
      const next = await status();
      const text = JSON.stringify(next);
      if (text !== lastText) emit(TUI_RPC.status, next);
      lastText = text;
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
    // The terminal subscribes after this response.
    setTimeout(release, TELL_AFTER_MS).unref();
    return (await counting('terminal.status', status)) ?? NOTHING;
  };
  const door: RpcDoor | null = await called(
    async () => (await context.rpc?.register?.(DEFINITION, { [TUI_RPC.status]: answer })) ?? null,
  );
  // A step's usage is recorded after the step.
  const stops = door === null ? [] : [brain.onStep(tellSoon), brain.onEntry(tellSoon)];
  return {
    notify(notice) {
      if (isWanted) emit(TUI_RPC.notice, notice);
      else waiting = [...waiting, notice].slice(-WAITING_MAX);
    },
    close() {
      for (const stop of stops) stop();
      clearTimeout(timer);
      // OpenCode also removes it with the plugin.
      void quietly(async () => door?.dispose?.());
    },
  };
}
