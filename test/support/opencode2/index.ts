/** An OpenCode 2 as its documents and its source describe it, with a scripted provider at the other end. */
export { heldTime, realTime, skippedTime } from './clock';
export { type Ended, openPlace, type Place, type PlaceOptions, type Seat } from './host';
export { decode, type Plugin, pluginsOf } from './loader';
export { AS_DOCUMENTED, type EmittedEvent, type Knobs, type Offered, type Row } from './world';
