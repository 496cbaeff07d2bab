import { stackOf } from './base/guarded';
import { INCOMPLETE } from './base/part';
import type { PluginInput } from './opencode1/memory/types';
import { startWhenCalm } from './opencode1/start';
import type { PluginContext } from './opencode2/session/types';
import { openVoice } from './opencode2/session/voice';

/**
 * The companion: one plugin, one export, because OpenCode calls every export of this file as a plugin. OpenCode 1.x takes
 * `server`, 2.x takes `setup`; a `tui` beside them would keep both from loading it. Each generation is a file of its own in
 * the folder beside this one: see `vite.companion.ts`.
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
