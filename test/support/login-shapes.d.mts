/** Ways of a login plugin's `fetch` by name. */
export declare const SHAPES: Readonly<Record<string, (...args: never[]) => Promise<Response>>>;
