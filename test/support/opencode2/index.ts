export { heldTime, skippedTime } from './clock';
export type { Ended, Place, PlaceOptions, Seat } from './host';
export { type Plugin, pluginsOf } from './loader';
export type { EmittedEvent, Knobs, Offered, Row } from './world';
