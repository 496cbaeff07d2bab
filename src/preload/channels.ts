import type { CarriedName, QueryName } from '../contract/contract';

export const askChannel = (name: QueryName): string => `understudy:ask:${name}`;

export const pushChannel = (name: CarriedName): string => `understudy:push:${name}`;
