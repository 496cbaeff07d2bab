/** Id prefix of picker models. */
export const OFFER = 'offer ';
/** The position after all rows. */
export const END = 'end';
/** The dragged row or picker model, and the row below it. */
export type Drag = Readonly<{ id: string; over: string | null }>;
