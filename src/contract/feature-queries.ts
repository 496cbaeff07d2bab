import { councilQueries } from '../features/council/contract/council';
import { fleetQueries } from '../features/fleet/contract/fleet';
import { rankingQueries } from '../features/ranking/contract/ranking';
import { registerQueries } from './contract';

export const registerFeatures = (): void => registerQueries({ ...councilQueries, ...fleetQueries, ...rankingQueries });
