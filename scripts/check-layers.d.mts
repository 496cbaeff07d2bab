/** Every import that the layer table forbids, as `file: reason`. */
export function layerProblems(root: string): string[];
/** Files that import each other in a circle, each circle along its arrows. */
export function circles(root: string): string[][];
/** Folders and files side by side that import each other in a circle, each circle along its arrows. */
export function roomCircles(root: string): string[][];
/** Each file of src with the files of src that it imports, as paths below the root. */
export function importsIn(root: string): Map<string, readonly string[]>;
