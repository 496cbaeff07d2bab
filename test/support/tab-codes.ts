export type TabSecret = Readonly<{ id: string; secret: string }>;

/** An independent implementation of the codes of ADR 0096. */
export async function codesOf({ secret }: TabSecret, port: number) {
  const bytes = new TextEncoder();
  const digest = await crypto.subtle.digest('SHA-256', bytes.encode(`understudy tab ${secret}`));
  const key = await crypto.subtle.importKey('raw', digest, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  const code = async (text: string): Promise<string> => {
    const signed = new Uint8Array(await crypto.subtle.sign('HMAC', key, bytes.encode(text)));
    return btoa(String.fromCharCode(...signed))
      .replaceAll('+', '-')
      .replaceAll('/', '_')
      .replaceAll('=', '');
  };
  return {
    proof: (tabNonce: string, panelNonce: string) => code(`panel ${port} ${tabNonce} ${panelNonce}`),
    ticket: (panelNonce: string) => code(`tab ${port} ${panelNonce}`),
  };
}
