export function npmCommand(): { command: string; args: string[] };
