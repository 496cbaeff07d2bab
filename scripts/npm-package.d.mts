export function companionParts(folder: string): string;
