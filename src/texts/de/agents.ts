import type { agentTexts } from '../agents';

const turns = (count: number): string => `${count} ${count === 1 ? 'Runde' : 'Runden'}`;

export const agents: ReturnType<typeof agentTexts> = {
  available: (agent, percent, answered, decided, lower, upper) =>
    `${agent} ist in ${percent} der Runden verfügbar: ${answered} von ${decided} wurden beantwortet (95-%-Grenzen ${lower} bis ${upper}).`,
  noTurn: (agent) => `Noch keine Runde von ${agent} ist zu Ende.`,
  unknown: (agent, others) =>
    `Von einem Agenten namens ${agent} ist in dieser Zeit keine Runde verzeichnet. ${others === '' ? 'Kein Agent hat eine.' : `Agenten mit Runden: ${others}.`}`,
  nobody: 'In dieser Zeit hatte kein Agent eine Runde.',
  alone: (byLead, percent) => `Das Primärmodell allein beantwortete ${byLead}: ${percent}.`,
  firstTry: (firstTry, percent) => `Ohne gescheiterte Anfrage beantwortet: ${firstTry}, ${percent}.`,
  noFallback: 'Keine Runde nutzte ein Fallback-Modell.',
  fallbacks: (count, answered, percent) =>
    `Mit Fallback-Modell: ${turns(count)}, davon ${answered} beantwortet, ${percent}.`,
  requests: (attempts, failures, retries) =>
    `Anfragen: ${attempts}, davon ${failures} gescheitert und ${retries} Wiederholungen beim selben Modell.`,
  waited: (time) => `Nach Fehlern insgesamt gewartet: ${time}.`,
  kept: (since) => `Versuche sind seit ${since} gespeichert; frühere sind nicht enthalten.`,
  title: 'Nach Agent',
  table: 'Zahlen jedes Agenten',
  columns: {
    agent: 'Agent',
    turns: 'Runden',
    available: 'Verfügbar',
    alone: 'Nur Primärmodell',
    firstTry: 'Erster Versuch',
    fallbacks: 'Fallback',
    waited: 'Gewartet',
  },
  recently: (percent, count) => `In den letzten 7 Tagen in ${percent} von ${turns(count)} verfügbar`,
};
