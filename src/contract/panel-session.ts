import * as z from 'zod';

/** Where a tab of a browser exchanges the address's token for a secret, and where the panel proves that it knows that secret; by POST. */
export const SESSION_PATH = 'session';

const Secret = z.string().regex(/^[\w-]{43}$/);
const TabId = z.string().regex(/^[\w-]{22}$/);

/** The token of the address that opened the tab, or the tab's id with a nonce that the panel must answer. */
export const SessionQuestion = /* @__PURE__ */ z.lazy(() =>
  z.union([z.object({ token: z.string().min(1).max(200) }), z.object({ id: TabId, nonce: Secret })]),
);
export type SessionQuestion = z.infer<typeof SessionQuestion>;

/** The id and the secret of a new tab. The secret is never sent again. */
export const SessionAnswer = z.object({ id: TabId, secret: Secret });
export type SessionAnswer = z.infer<typeof SessionAnswer>;

/** The panel's proof, with the nonce of its process; or that it has no tab with this id. */
export const ProofAnswer = z.discriminatedUnion('isKnown', [
  z.object({ isKnown: z.literal(true), nonce: Secret, proof: Secret }),
  z.object({ isKnown: z.literal(false) }),
]);
export type ProofAnswer = z.infer<typeof ProofAnswer>;

/**
 * The texts of both HMAC-SHA-256 codes; their key is SHA-256 of `keyText`. The port is in both: a program on another port that
 * passes the questions on to the panel gets codes that a tab does not accept.
 */
export const keyText = (secret: string): string => `understudy tab ${secret}`;
/** Only who has the key can answer a tab's nonce with this code. */
export const proofText = (port: number, tabNonce: string, panelNonce: string): string =>
  `panel ${port} ${tabNonce} ${panelNonce}`;
/** The tab sends this code as `Authorization: Bearer`; it ends with the panel's process. */
export const ticketText = (port: number, panelNonce: string): string => `tab ${port} ${panelNonce}`;
