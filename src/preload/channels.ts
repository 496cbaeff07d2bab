import type { CarriedName, QueryName } from '../contract/contract';

/** Channel of a query between the window and the main process. */
export const askChannel = (name: QueryName): string => `understudy:ask:${name}`;

/** Channel of a push from the main process to the window. */
export const pushChannel = (name: CarriedName): string => `understudy:push:${name}`;
