/** `model-fallback.json`: what it may say, what is wrong with it, and what it means for one directory. */
export type { AgentOrigin } from './agents';
export type { EffectiveValue } from './effective';
export { effectiveValues } from './effective';
export type { ForeignKind } from './foreign';
export { parseForeign } from './foreign';
export { matchesGlob } from './glob';
export { mergeConfigs } from './merge';
export type { ParsedConfig } from './parse';
export { parseConfig } from './parse';
export type { ConfigProblem, KeyPath, Position } from './problem';
export { pathKey, pathText } from './problem';
export type { ConfigSource, ConfigSources, HostModels, ResolvedScope } from './resolve';
export { resolveScope, sourcesInOrder } from './resolve';
export { ConfigFile, DEFAULTS } from './schema';
export type { Triage } from './triage';
