import type { probeTexts } from '../probe';

export const probe: ReturnType<typeof probeTexts> = {
  button: 'Probeanfrage…',
  title: (name) => `${name} jetzt fragen?`,
  ask: 'Fragen',
  how: 'Wie',
  now: 'Jetzt, mit einer kleinsten Anfrage',
  nextTurn: 'Die nächste echte Anfrage soll es fragen',
  allow: 'Zulassen',
  costs: (price) =>
    `Es ist eine echte Anfrage mit der eigenen Anmeldung: etwa ${price}, das meiste für das, was OpenCode selbst mitschickt.`,
  costsUnknown:
    'Es ist eine echte Anfrage mit der eigenen Anmeldung. Der Preis ist nicht bekannt; OpenCode selbst schickt etwa 8.000 Token mit.',
  costsNothing: 'Es ist eine echte Anfrage mit der eigenen Anmeldung, an ein Modell, das nichts kostet.',
  whenAnswers: 'Antwortet es, gilt es als bereit.',
  whenFails: 'Antwortet es nicht, bleibt alles, wie es ist.',
  order: 'Keine Kette ändert ihre Reihenfolge.',
  held: 'Es bleibt auch dann außer Gebrauch, wenn es antwortet, weil jemand es dort hält.',
  asking: (name) => `${name} wird gefragt. Das kann anderthalb Minuten dauern…`,
  answered: (name, took, price) => `${name} hat nach ${took} geantwortet, für ${price}.`,
  isBack: 'Es wird wieder benutzt.',
  failed: (name, kind, took) => `${name} antwortet nicht: ${kind}, nach ${took}.`,
  notAsked: (name, reason) => `${name} wurde nicht gefragt: ${reason}`,
};
