import type { probeTexts } from '../probe';

export const probe: ReturnType<typeof probeTexts> = {
  button: 'Probeanfrage…',
  title: (name) => `${name} jetzt testen?`,
  ask: 'Senden',
  how: 'Art',
  now: 'Jetzt, mit einer minimalen Anfrage',
  nextTurn: 'Mit der nächsten Nachricht',
  allow: 'Zulassen',
  costs: (price) =>
    `Eine echte Anfrage mit der eigenen Anmeldung: etwa ${price}, vor allem für den Prompt von OpenCode.`,
  costsUnknown:
    'Eine echte Anfrage mit der eigenen Anmeldung, Preis unbekannt. Der Prompt von OpenCode hat etwa 8.000 Token.',
  costsNothing: 'Eine echte Anfrage mit der eigenen Anmeldung, an ein kostenloses Modell.',
  whenAnswers: 'Antwortet es, ist es bereit.',
  whenFails: 'Antwortet es nicht, ändert sich nichts.',
  order: 'Keine Kette ändert sich.',
  held: 'Es bleibt außer Betrieb, auch wenn es antwortet, denn es ist von Hand fixiert.',
  asking: (name) => `${name} wird getestet. Das kann anderthalb Minuten dauern…`,
  answered: (name, took, price) => `${name} hat nach ${took} geantwortet, für ${price}.`,
  isBack: 'Es wird wieder verwendet.',
  failed: (name, kind, took) => `${name} hat nicht geantwortet: ${kind}, nach ${took}.`,
  notAsked: (name, reason) => `${name} wurde nicht getestet: ${reason}`,
};
