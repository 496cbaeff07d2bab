// Loaded with each OpenCode, so separate from the schemas.

/** Rejects other IDs, which users could not ignore. */
export const MACHINE_ID = /^[\da-f]{16}$/;

export const SERVER_TROUBLES = [
  ...(['unreachable', 'untrusted', 'refused', 'readonly'] as const),
  ...(['full', 'slow', 'flooded', 'failed'] as const),
] as const;
export const APART = ['login', 'keyless', 'local'] as const;

export const MISSING = [
  ...(['preferences', 'team', 'secret', 'secretUnread', 'secretOdd'] as const),
  ...(['variable', 'passwordUnread', 'id', 'authority', 'authorityUnread', 'certificate'] as const),
] as const;

export const isShut = (trouble: ServerTrouble): boolean => trouble === 'refused' || trouble === 'untrusted';

export type ServerTrouble = (typeof SERVER_TROUBLES)[number];
export type Apart = (typeof APART)[number];
