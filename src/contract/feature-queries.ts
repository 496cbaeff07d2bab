import { councilQueries } from '../features/council/contract/council';
import { fleetQueries } from '../features/fleet/contract/fleet';
import { rankingQueries } from '../features/ranking/contract/ranking';
import { registerQueries } from './contract';

export const featureQueries = { ...councilQueries, ...fleetQueries, ...rankingQueries } as const;

export const registerFeatures = (): void => registerQueries(featureQueries);
