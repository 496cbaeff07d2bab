import { stackOf } from './base/guarded';
import { INCOMPLETE } from './base/part';
import type { PluginInput } from './opencode1/memory/types';
import { startWhenCalm } from './opencode1/start';
import type { PluginContext } from './opencode2/session/types';
import { openVoice } from './opencode2/session/voice';

/**
 * OpenCode calls every export as a plugin: 1.x uses `server`, 2.x `setup`; a `tui` here would keep both from loading
 * it. For the separate files see `vite.companion.ts`.
 */
export default {
  id: 'understudy',
  server: (input: PluginInput) => startWhenCalm(input, () => import('./opencode1/plugin')),
  // OpenCode 1.x calls this too.
  setup: async (context: PluginContext) => {
    if (typeof context?.session?.hook !== 'function') return undefined;
    const opener = await import('./opencode2/plugin').catch((error: unknown) => {
      const voice = openVoice();
      voice.fail(`start: ${stackOf(error)}`);
      voice.warn(INCOMPLETE);
    });
    return opener?.startOpenCode2(context);
  },
};
