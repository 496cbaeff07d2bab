/** How to start npm without a shell; npm's own arguments go after `args`. */
export function npmCommand(): { command: string; args: string[] };
