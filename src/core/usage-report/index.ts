export type { UsageSources } from './desk';
export { usageOf } from './desk';
export { usageText } from './export';
