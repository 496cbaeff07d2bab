export type { UsageSources } from './desk';
export { boundsOf, modelsOf, usageOf } from './desk';
export { usageText } from './export';
export { createSlots } from './slots';
