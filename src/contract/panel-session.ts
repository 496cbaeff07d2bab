import * as z from 'zod';

/** A tab POSTs here to exchange the address's token for a secret, and to check that the panel knows that secret. */
export const SESSION_PATH = 'session';

const Secret = z.string().regex(/^[\w-]{43}$/);
const TabId = z.string().regex(/^[\w-]{22}$/);

/** The token of the opening address, or the tab's id with a nonce that the panel must answer. */
export const SessionQuestion = /* @__PURE__ */ z.lazy(() =>
  z.union([z.object({ token: z.string().min(1).max(200) }), z.object({ id: TabId, nonce: Secret })]),
);
export type SessionQuestion = z.infer<typeof SessionQuestion>;

/** The id and the secret of a new tab. The secret is never sent again. */
export const SessionAnswer = z.object({ id: TabId, secret: Secret });
export type SessionAnswer = z.infer<typeof SessionAnswer>;

/** The panel's proof with the nonce of its process, or that it has no tab with this id. */
export const ProofAnswer = z.discriminatedUnion('isKnown', [
  z.object({ isKnown: z.literal(true), nonce: Secret, proof: Secret }),
  z.object({ isKnown: z.literal(false) }),
]);
export type ProofAnswer = z.infer<typeof ProofAnswer>;

/**
 * Texts of both HMAC-SHA-256 codes; their key is SHA-256 of `keyText`. Both contain the port: a program on another port
 * that forwards the requests to the panel gets codes that a tab rejects.
 */
export const keyText = (secret: string): string => `understudy tab ${secret}`;
/** Only the owner of the key can answer a tab's nonce with this code. */
export const proofText = (port: number, tabNonce: string, panelNonce: string): string =>
  `panel ${port} ${tabNonce} ${panelNonce}`;
/** The tab sends this code as `Authorization: Bearer`; it expires with the panel's process. */
export const ticketText = (port: number, panelNonce: string): string => `tab ${port} ${panelNonce}`;
