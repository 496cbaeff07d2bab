/** All that is behind the hooks. The built file makes it of itself when it is first needed: see `vite.node.config.ts`. */
export { startOpenCode1 } from './opencode1/plugin';
export { startOpenCode2 } from './opencode2/plugin';
