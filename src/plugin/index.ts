import { startOpenCode1 } from './opencode1/plugin';

/** The companion: one plugin, one export, because OpenCode calls every export of this file as a plugin. */
export default { id: 'understudy', server: startOpenCode1 };
