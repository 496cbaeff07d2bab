import type { Member } from './use-council';

/** True for the Oracle. */
export const isOracle = ({ id }: Pick<Member, 'id'>): boolean => id === 'oracle';

/** Participants other than the Oracle, in the order of joining. */
export const heroesOf = (members: readonly Member[]): readonly Member[] =>
  members.filter((member) => !isOracle(member));
