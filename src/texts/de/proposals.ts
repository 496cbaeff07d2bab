import type { proposalTexts } from '../proposals';

export const proposals: ReturnType<typeof proposalTexts> = {
  why: {
    present: 'ist jetzt im Einsatz',
    first: 'Vorgabe von OpenCode bei diesem Anbieter',
    other_vendor: 'anderer Hersteller',
    other_provider: 'derselbe Hersteller über einen anderen Anbieter',
    same_provider: 'derselbe Anbieter: hilft nicht, wenn der Anbieter ausfällt',
    smaller: 'weniger als halb so viel Kontext wie das erste Modell',
    local: 'lokal: letzte Möglichkeit',
  },
  problem: {
    unlisted:
      'OpenCode hat seine Modelle noch nicht aufgeführt. Den Begleiter installieren, OpenCode neu starten und in einem Projekt öffnen.',
    none: 'Keines der Modelle von OpenCode kann Werkzeuge benutzen; keines eignet sich als Fallback-Modell.',
    singleVendor:
      'Nur ein Hersteller ist verbunden: Fällt er aus, fällt jede Kette aus. Einen zweiten anmelden mit „opencode auth login“.',
    unfit: (agent, model) => `${agent}: Kein Modell eines anderen Herstellers ist ${model} in Größe und Preis ähnlich.`,
    locked: (agent, model) =>
      `${agent}: Die Kette nutzt nur den Hersteller von ${model} (council oder vendorLock), und kein anderes Modell von dort passt: Es gibt kein Fallback-Modell.`,
    unlistedLead: (agent, model) =>
      `${agent} verwendet ${model}, das OpenCode nicht aufführt: unbekannt, zurückgezogen oder ohne API-Schlüssel.`,
  },
};
