/** Exact changes of users' files, as text: a change is made, or refused with the place that stands against it. */
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
