import { CONTENT_SHAPES } from './contents';
import { PLACE_SHAPES } from './files';
import type { Shape } from './place';

export { type Place, placeAt, type Shape } from './place';
export { SOURCES } from './sources';

/** All contents of a repository that could harm or delay a user who opens it. */
export const SHAPES: readonly Shape[] = [...PLACE_SHAPES, ...CONTENT_SHAPES];

export const CHOSEN: readonly Shape[] = SHAPES.filter(({ isChosen }) => isChosen);

/** A quarter of those for `npm test`; the nightly run plays all. */
export const DAILY: readonly Shape[] = CHOSEN.filter((_, at) => at % 4 === 0);
