export function layerProblems(root: string): string[];
export function circles(root: string): string[][];
export function roomCircles(root: string): string[][];
export function importsIn(root: string): Map<string, readonly string[]>;
