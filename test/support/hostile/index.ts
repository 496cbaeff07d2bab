import { CONTENT_SHAPES } from './contents';
import { PLACE_SHAPES } from './files';
import type { Shape } from './place';

export { type Place, placeAt, type Shape } from './place';
export { SOURCES } from './sources';

/** Everything that a repository may hold to harm or to hold up whoever opens it. */
export const SHAPES: readonly Shape[] = [...PLACE_SHAPES, ...CONTENT_SHAPES];

/** One of each kind. */
export const CHOSEN: readonly Shape[] = SHAPES.filter(({ isChosen }) => isChosen);

/** A quarter of those chosen: `npm test` plays these, the nightly run all. */
export const DAILY: readonly Shape[] = CHOSEN.filter((_, at) => at % 4 === 0);
