import * as z from 'zod';

export const SESSION_PATH = 'session';

const Secret = z.string().regex(/^[\w-]{43}$/);
const TabId = z.string().regex(/^[\w-]{22}$/);

/** The opening address's token, or the tab's id with a nonce. */
export const SessionQuestion = /* @__PURE__ */ z.lazy(() =>
  z.union([z.object({ token: z.string().min(1).max(200) }), z.object({ id: TabId, nonce: Secret })]),
);
export type SessionQuestion = z.infer<typeof SessionQuestion>;

/** Sent once, to a new tab. */
export const SessionAnswer = z.object({ id: TabId, secret: Secret });
export type SessionAnswer = z.infer<typeof SessionAnswer>;

/** `isKnown` is false without such a tab. */
export const ProofAnswer = z.discriminatedUnion('isKnown', [
  z.object({ isKnown: z.literal(true), nonce: Secret, proof: Secret }),
  z.object({ isKnown: z.literal(false) }),
]);
export type ProofAnswer = z.infer<typeof ProofAnswer>;

/**
 * Key of both HMAC codes, as SHA-256. Both contain the port: a tab rejects codes that a program on another port got by
 * forwarding to the panel.
 */
export const keyText = (secret: string): string => `understudy tab ${secret}`;
/** Proves that the panel owns the key. */
export const proofText = (port: number, tabNonce: string, panelNonce: string): string =>
  `panel ${port} ${tabNonce} ${panelNonce}`;
/** `Authorization: Bearer`; expires with the panel's process. */
export const ticketText = (port: number, panelNonce: string): string => `tab ${port} ${panelNonce}`;
