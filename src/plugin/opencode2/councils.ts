import { laterCouncil } from '../council/later';
import type { Instance } from './instance';

export const councils = laterCouncil<Instance>(() => import('./council'));
