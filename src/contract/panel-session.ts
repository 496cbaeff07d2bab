import * as z from 'zod';

/** Exchanges the address's token for a secret, and checks that the panel has that secret. */
export const SESSION_PATH = 'session';

const Secret = z.string().regex(/^[\w-]{43}$/);
const TabId = z.string().regex(/^[\w-]{22}$/);

/** The opening address's token, or the tab's id with a nonce for the panel. */
export const SessionQuestion = /* @__PURE__ */ z.lazy(() =>
  z.union([z.object({ token: z.string().min(1).max(200) }), z.object({ id: TabId, nonce: Secret })]),
);
export type SessionQuestion = z.infer<typeof SessionQuestion>;

/** Sent once, to a new tab. */
export const SessionAnswer = z.object({ id: TabId, secret: Secret });
export type SessionAnswer = z.infer<typeof SessionAnswer>;

/** The panel's proof with its process's nonce; `isKnown` is false without such a tab. */
export const ProofAnswer = z.discriminatedUnion('isKnown', [
  z.object({ isKnown: z.literal(true), nonce: Secret, proof: Secret }),
  z.object({ isKnown: z.literal(false) }),
]);
export type ProofAnswer = z.infer<typeof ProofAnswer>;

/**
 * Both HMAC-SHA-256 codes use SHA-256 of `keyText` as key. Both contain the port: a tab rejects codes that a program
 * on another port got by forwarding requests to the panel.
 */
export const keyText = (secret: string): string => `understudy tab ${secret}`;
/** Proves to a tab's nonce that the panel owns the key. */
export const proofText = (port: number, tabNonce: string, panelNonce: string): string =>
  `panel ${port} ${tabNonce} ${panelNonce}`;
/** Sent as `Authorization: Bearer`; expires with the panel's process. */
export const ticketText = (port: number, panelNonce: string): string => `tab ${port} ${panelNonce}`;
