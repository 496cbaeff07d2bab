import { laterCouncil } from '../../../features/council/plugin/later';
import type { Instance } from './instance';

export const councils = laterCouncil<Instance>(() => import('../../../features/council/plugin/opencode2/council'));
