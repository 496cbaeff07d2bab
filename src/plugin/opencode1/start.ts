import { guarded, stackOf } from '../base/guarded';
import { INCOMPLETE } from '../base/part';
import { releaseFetch, wrapFetch } from './memory/fetch-wrap';
import type { Hooks, PluginInput } from './memory/types';
import { openVoice, type Voice } from './memory/voice';
import { addCommands } from './user/add-commands';

/** OpenCode is still starting after it has configured its plugins. */
const CALM_AFTER_MS = 300;
/** Delay if OpenCode never configures them. */
const UNCONFIGURED_MS = 10_000;

/**
 * Clients of served directories; all plugins of a directory share one. Of two copies of this file (in `plugin` and
 * `plugins`) one serves a directory: each would take the other's changes for the user's.
 */
const SERVED = Symbol.for('understudy.served');
const globals = globalThis as typeof globalThis & { [SERVED]?: WeakSet<object> };

type Opener = Readonly<{ startOpenCode1(input: PluginInput): Promise<Hooks> }>;

/** Another directory then starts at almost no cost. */
let isLoaded = false;

function reportFailure(voice: Pick<Voice, 'fail' | 'warn'>, message: string, error: unknown): void {
  voice.fail(`start: ${stackOf(error)}`);
  voice.warn(message);
}

const FAILED = 'Understudy could not start. OpenCode works without it; its log shows the reason.';

/**
 * Returns hooks at once in the first directory, because OpenCode waits for its plugins. The companion follows after
 * the start or with the first message, and gets earlier events in order.
 */
export async function startWhenCalm(input: PluginInput, load: () => Promise<Opener>): Promise<Hooks> {
  globals[SERVED] ??= new WeakSet();
  const served = globals[SERVED];
  if (served.has(input.client)) return {};
  served.add(input.client);
  const voice = openVoice(input.client);
  const waiting: ((hooks: Hooks) => Promise<void> | undefined)[] = [];
  let opening: Promise<Hooks> | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isWrapped = true;

  const begin = async (): Promise<Hooks> => {
    clearTimeout(timer);
    let opener: Opener | null = null;
    try {
      opener = await load();
      const hooks = await opener.startOpenCode1(input);
      isLoaded = true;
      for (const tell of waiting.splice(0)) await tell(hooks);
      return hooks;
    } catch (error) {
      reportFailure(voice, opener === null ? INCOMPLETE : FAILED, error);
      return {};
    }
  };
  const open = (): Promise<Hooks> => {
    opening ??= begin();
    return opening;
  };
  const callHook =
    <Args extends unknown[]>(hookOf: (hooks: Hooks) => ((...args: Args) => Promise<void>) | undefined) =>
    async (...args: Args): Promise<void> =>
      hookOf(await open())?.(...args);
  const onMessage = callHook((hooks) => hooks['chat.message']);
  const notify = async (tell: (hooks: Hooks) => Promise<void> | undefined): Promise<void> => {
    if (opening === null) waiting.push(tell);
    else await tell(await opening);
  };
  const openIn = (ms: number): void => {
    clearTimeout(timer);
    timer = setTimeout(() => void open(), ms);
    timer.unref();
  };

  // At once: another plugin may store the fetch that it finds.
  wrapFetch();
  if (isLoaded) await open();
  else openIn(UNCONFIGURED_MS);
  return {
    config: guarded(voice.fail, 'config', async (config) => {
      addCommands(config);
      if (opening === null) openIn(CALM_AFTER_MS);
      await notify((hooks) => hooks.config?.(config));
    }),
    async 'chat.message'(message, output) {
      voice.arrive();
      await onMessage(message, output);
    },
    'chat.params': callHook((hooks) => hooks['chat.params']),
    'chat.headers': callHook((hooks) => hooks['chat.headers']),
    'experimental.chat.messages.transform': callHook((hooks) => hooks['experimental.chat.messages.transform']),
    'experimental.text.complete': callHook((hooks) => hooks['experimental.text.complete']),
    'experimental.chat.system.transform': callHook((hooks) => hooks['experimental.chat.system.transform']),
    'tool.execute.before': callHook((hooks) => hooks['tool.execute.before']),
    event: (news) => notify((hooks) => hooks.event?.(news)),
    async dispose() {
      clearTimeout(timer);
      opening ??= Promise.resolve({});
      await (await opening).dispose?.();
      if (isWrapped) releaseFetch();
      isWrapped = false;
      served.delete(input.client);
    },
  };
}
