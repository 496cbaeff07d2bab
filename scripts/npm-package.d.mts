/** Gives the name of the folder of parts that the built companion in `folder` loads. @throws Error where it names none. */
export function companionParts(folder: string): string;
