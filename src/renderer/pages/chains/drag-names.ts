/** What a model that is dragged out of the choice begins its name with; its own follows. */
export const OFFER = 'offer ';
/** The place behind all lines. */
export const END = 'end';
/** What is under way: a line or a model of the choice, and the line it is over. */
export type Drag = Readonly<{ id: string; over: string | null }>;
