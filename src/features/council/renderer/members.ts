import type { Member } from './use-council';

/** Whether a participant leads the run instead of taking part. */
export const isOracle = ({ id }: Pick<Member, 'id'>): boolean => id === 'oracle';

/** Those around the Oracle, in the order of their coming. */
export const heroesOf = (members: readonly Member[]): readonly Member[] =>
  members.filter((member) => !isOracle(member));
