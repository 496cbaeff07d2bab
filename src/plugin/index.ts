import { startOpenCode1 } from './opencode1/plugin';
import { startOpenCode2 } from './opencode2/plugin';

/**
 * The companion: one plugin, one export, because OpenCode calls every export of this file as a plugin. OpenCode 1.x takes
 * `server`, 2.x takes `setup`; a `tui` beside them would keep both from loading it.
 */
export default { id: 'understudy', server: startOpenCode1, setup: startOpenCode2 };
