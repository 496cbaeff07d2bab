import type { CarriedName, QueryName } from '../contract/contract';

/** Where a question travels between the window and the main process. */
export const askChannel = (name: QueryName): string => `understudy:ask:${name}`;

/** Where a push travels from the main process to the window. */
export const pushChannel = (name: CarriedName): string => `understudy:push:${name}`;
