export type { TierSize } from './chain-edit';
export { removeChain, setChain } from './chain-edit';
export type { Edited } from './edit';
export { withValue } from './edit';
export type { PluginFinding, PluginKey } from './plugin-edit';
export {
  addCompanion,
  addTerminalPart,
  findPlugins,
  isBlank,
  isCompanionPackage,
  removeCompanion,
  removeTerminalPart,
} from './plugin-edit';
export { addItems, setValues } from './value-edit';
