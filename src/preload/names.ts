import { type CarriedName, carried, type QueryName, queries } from '../contract/contract';
import { featureQueries } from '../contract/feature-queries';

/** The build writes both lists into the preload script, without the contract's schemas. */
export const QUERY_NAMES = Object.keys({ ...queries, ...featureQueries }) as QueryName[];

export const PUSH_NAMES = Object.keys(carried) as CarriedName[];
