/** Id prefix of picker models. */
export const OFFER = 'offer ';
export const END = 'end';
export type Drag = Readonly<{ id: string; over: string | null }>;
