import type { proposalTexts } from '../proposals';

export const proposals: ReturnType<typeof proposalTexts> = {
  why: {
    present: 'ist jetzt im Einsatz',
    first: 'OpenCodes eigene Wahl bei diesem Anbieter',
    other_vendor: 'anderer Hersteller',
    other_provider: 'derselbe Hersteller über einen anderen Anbieter',
    same_provider: 'derselbe Anbieter: hilft, wenn ein Modell ausfällt, nicht wenn alle ausfallen',
    smaller: 'fasst weniger als die Hälfte des ersten',
    local: 'auf diesem Rechner: da, wenn sonst nichts da ist',
  },
  problem: {
    unlisted:
      'OpenCode hat noch nicht gesagt, welche Modelle es hat. Den Begleiter installieren, OpenCode neu starten und in einem Projekt öffnen.',
    none: 'Keines der Modelle von OpenCode kann Werkzeuge benutzen; keines kann für einen Agenten einspringen.',
    singleVendor:
      'Nur ein Hersteller ist verbunden: Fällt er aus, fällt jede Kette aus. Einen zweiten anmelden mit „opencode auth login“.',
    unfit: (agent, model) => `${agent}: Kein Modell eines anderen Herstellers ist ${model} in Größe und Preis ähnlich.`,
    locked: (agent, model) =>
      `${agent}: Die Kette bleibt beim Hersteller von ${model} (council oder vendorLock), und kein anderes Modell von dort passt: Niemand spränge ein.`,
    unlistedLead: (agent, model) =>
      `${agent} ist mit ${model} eingerichtet, das OpenCode nicht hat: unbekannt, zurückgezogen oder ohne Schlüssel.`,
  },
};
