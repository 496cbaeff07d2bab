import type { Member } from './use-council';

export const isOracle = ({ id }: Pick<Member, 'id'>): boolean => id === 'oracle';

export const heroesOf = (members: readonly Member[]): readonly Member[] =>
  members.filter((member) => !isOracle(member));
