import type { PluginInput } from './opencode1/memory/types';
import { startWhenCalm } from './opencode1/start';
import type { PluginContext } from './opencode2/types';

const load = () => import('./generations');

/**
 * The companion: one plugin, one export, because OpenCode calls every export of this file as a plugin. OpenCode 1.x takes
 * `server`, 2.x takes `setup`; a `tui` beside them would keep both from loading it.
 */
export default {
  id: 'understudy',
  server: (input: PluginInput) => startWhenCalm(input, load),
  // OpenCode 1.x calls this too.
  setup: async (context: PluginContext) =>
    typeof context?.session?.hook === 'function' ? (await load()).startOpenCode2(context) : undefined,
};
