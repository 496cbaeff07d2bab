import { laterCouncil } from '../../features/council/plugin/later';
import type { Instance } from './instance';

export const councils = laterCouncil<Instance>(() => import('./council'));
