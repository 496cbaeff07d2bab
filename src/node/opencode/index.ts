/** Runs the real OpenCode in a separate home, for the demo and the end-to-end tests. */
export { askForModels } from './ask';
export {
  findOpencode,
  generationOf,
  type OpencodeBinary,
  type OpencodeSearch,
  PINNED_OPENCODE_VERSION,
} from './binary';
export { type OpencodeMessage, OpencodeRequestError, type OpencodeSession, type Prompt, textOf } from './client';
export { homeFolders, sandboxEnvironment } from './environment';
export type { EventStream, OpencodeEvent } from './events';
export { findFreePort } from './free-port';
export {
  isOf,
  type Opencode2Message,
  type Opencode2Model,
  type Opencode2Server,
  type Opencode2Session,
  startOpencode2,
  textsIn,
} from './opencode2';
export { probeModel } from './probe';
export type { Probed } from './probed';
export { type RunOptions, type RunResult, runOpencode } from './run';
export {
  createSandbox,
  type OpencodeConfig,
  type ProjectOptions,
  type Sandbox,
  type SandboxOptions,
} from './sandbox';
export { type OpencodeServer, type StartOptions, startOpencode } from './server';
