import type { kindTexts } from '../kinds';

/** Each follows a colon: "gpt-5: …". */
const PHRASES: Readonly<Record<string, string>> = {
  rate_limit: 'Ratenlimit erreicht',
  quota: 'Kontingent aufgebraucht',
  overloaded: 'überlastet',
  server_error: 'Fehler beim Anbieter',
  timeout: 'keine Antwort in der vorgesehenen Zeit',
  network_transient: 'nicht erreichbar',
  network_permanent: 'nicht erreichbar: Zertifikat oder Proxy abgelehnt',
  local_network: 'nicht erreichbar: dieser Rechner ist offline',
  auth: 'API-Schlüssel abgelehnt',
  login: 'Anmeldung abgelaufen',
  permission: 'für dieses Konto nicht freigegeben',
  model_not_found: 'nicht verfügbar',
  content_policy: 'Inhalt abgelehnt',
  invalid_request: 'Anfrage abgelehnt',
  context_length: 'Kontextfenster erschöpft',
  unsupported_input: 'kann diese Eingabe nicht verarbeiten',
  early_termination: 'Antwort endete zu früh',
  empty_response: 'leere Antwort',
  stream_interrupted: 'Verbindung mitten in der Antwort verloren',
  tool_error: 'in Ordnung; ein Werkzeug ist gescheitert',
  aborted: 'in Ordnung; von Hand abgebrochen',
  unknown: 'noch unbekannter Fehler',
};

export const kinds: ReturnType<typeof kindTexts> = {
  of: (kind, english) => PHRASES[kind] ?? english,
  isSo: (model, phrase) => `${model}: ${phrase}`,
};
