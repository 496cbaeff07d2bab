/** An OpenCode 2 as its documents and its source describe it, with a scripted provider at the other end. */
export { heldTime, skippedTime } from './clock';
export type { Ended, Place, PlaceOptions, Seat } from './host';
export { type Plugin, pluginsOf } from './loader';
export type { EmittedEvent, Knobs, Offered, Row } from './world';
