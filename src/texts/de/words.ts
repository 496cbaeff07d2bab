import { plural } from '../catalogue';
import type { wordTexts } from '../words';

const decimal = (value: string): string => value.replace('.', ',');

export const words: ReturnType<typeof wordTexts> = {
  noData: 'keine Daten',
  counts: {
    agent: plural('Agent', 'Agenten'),
    call: plural('Aufruf', 'Aufrufe'),
    chain: plural('Kette', 'Ketten'),
    event: plural('Ereignis', 'Ereignisse'),
    failure: plural('Fehlschlag', 'Fehlschläge'),
    model: plural('Modell', 'Modelle'),
    other: plural('weiteres', 'weitere'),
    phrase: plural('Meldung', 'Meldungen'),
    project: plural('Projekt', 'Projekte'),
    provider: plural('Anbieter', 'Anbieter'),
    question: plural('Frage', 'Fragen'),
    request: plural('Anfrage', 'Anfragen'),
    session: plural('Sitzung', 'Sitzungen'),
    switch: plural('Wechsel', 'Wechsel'),
    turn: plural('Runde', 'Runden'),
    'user message': plural('Nachricht', 'Nachrichten'),
  },
  decimal,
  dollars: (amount) => `${decimal(amount)} $`,
  underAMinute: 'unter 1 min',
  dropped: (events) =>
    events === 1
      ? '1 Ereignis ging verloren, bevor es gespeichert wurde'
      : `${events} Ereignisse gingen verloren, bevor sie gespeichert wurden`,
  droppedBy: (version, pid, events) =>
    `OpenCode ${version}, Prozess ${pid}: ${events === 1 ? '1 Ereignis ging' : `${events} Ereignisse gingen`} verloren, bevor eine App sie speichern konnte.`,
  timeLeft: (time) => `in ${time}`,
  everyOtherAgent: 'alle anderen',
  listed: (names) => (names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} und ${names.at(-1)}`),
};
