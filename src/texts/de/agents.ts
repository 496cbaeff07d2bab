import type { agentTexts } from '../agents';

const turns = (count: number): string => `${count} ${count === 1 ? 'Runde' : 'Runden'}`;

export const agents: ReturnType<typeof agentTexts> = {
  available: (agent, percent, answered, decided, lower, upper) =>
    `${agent} ist in ${percent} der Runden verfügbar: ${answered} von ${decided} wurden beantwortet (95-%-Grenzen ${lower} bis ${upper}).`,
  noTurn: (agent) => `Noch keine Runde von ${agent} ist zu Ende.`,
  unknown: (agent, known) =>
    `Von einem Agenten namens ${agent} ist in dieser Zeit keine Runde verzeichnet. ${known === '' ? 'Kein Agent hat eine.' : `Agenten mit Runden: ${known}.`}`,
  nobody: 'In dieser Zeit hatte kein Agent eine Runde.',
  alone: (byLead, percent) => `Die Erstbesetzung allein beantwortete ${byLead}: ${percent}.`,
  firstTry: (firstTry, percent) => `Ohne eine gescheiterte Anfrage: ${firstTry}, ${percent}.`,
  noFallback: 'Keine Runde verließ die Erstbesetzung.',
  fallbacks: (count, answered, percent) =>
    `Von einem anderen Modell übernommen: ${turns(count)}, davon ${answered} mit einer Antwort beendet, ${percent}.`,
  requests: (attempts, failures, retries) =>
    `Anfragen: ${attempts}, davon ${failures} gescheitert und ${retries} noch einmal an dasselbe Modell.`,
  waited: (time) => `Nach Fehlern wurde insgesamt ${time} lang niemand gefragt.`,
  kept: (since) => `Einzelne Versuche gibt es seit ${since}: Früheres ist in diesen Zahlen nicht enthalten.`,
  title: 'Nach Agent',
  table: 'Zahlen jedes Agenten',
  columns: {
    agent: 'Agent',
    turns: 'Runden',
    available: 'Verfügbar',
    alone: 'Erstbesetzung allein',
    firstTry: 'Erster Versuch',
    fallbacks: 'Vertreten',
    waited: 'Gewartet',
  },
  recently: (percent, count) => `In den letzten 7 Tagen in ${percent} von ${turns(count)} verfügbar`,
};
