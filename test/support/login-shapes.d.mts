export declare const SHAPES: Readonly<Record<string, (...args: never[]) => Promise<Response>>>;
