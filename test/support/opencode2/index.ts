/** A fake OpenCode 2 after its documents and source, with a scripted provider. */
export { heldTime, skippedTime } from './clock';
export type { Ended, Place, PlaceOptions, Seat } from './host';
export { type Plugin, pluginsOf } from './loader';
export type { EmittedEvent, Knobs, Offered, Row } from './world';
