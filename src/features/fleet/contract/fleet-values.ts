// Apart from the schemas: the companion, which starts with each OpenCode, needs these alone.

/** What a machine of a team is known by. Words of whoever is called otherwise are none: nobody could leave them out. */
export const MACHINE_ID = /^[\da-f]{16}$/;

/** Why the server is not there, or takes nothing. */
export const SERVER_TROUBLES = [
  ...(['unreachable', 'untrusted', 'refused', 'readonly'] as const),
  ...(['full', 'slow', 'flooded', 'failed'] as const),
] as const;
/** Why an account is this machine's alone. */
export const APART = ['login', 'keyless', 'local'] as const;

/** What keeps a machine from joining the fleet that it has been given. */
export const MISSING = [
  ...(['preferences', 'team', 'secret', 'secretUnread', 'secretOdd'] as const),
  ...(['variable', 'passwordUnread', 'id', 'authority', 'authorityUnread', 'certificate'] as const),
] as const;

/** It is there, and has turned this machine away. */
export const isShut = (trouble: ServerTrouble): boolean => trouble === 'refused' || trouble === 'untrusted';

export type ServerTrouble = (typeof SERVER_TROUBLES)[number];
export type Apart = (typeof APART)[number];
