import { plural } from '../catalogue';
import type { councilNewsTexts } from '../council-news';

export const councilNews: ReturnType<typeof councilNewsTexts> = {
  title: 'Councils',
  answered: (council) => `${council} hat eine Antwort.`,
  name: (repo) => `Council${repo && ` zu ${repo}`}`,
  counts: {
    finding: plural('Befund', 'Befunde'),
    idea: plural('Idee', 'Ideen'),
    critical: (count) => `${count} kritisch`,
    none: 'kein Modell hat beigetragen',
  },
  stands: {
    casting: 'stellt die Besetzung zusammen',
    presenting: 'stellt den Bericht zusammen',
    stage: (at, of) => `Abschnitt ${at} von ${of}`,
    asks: (speaker) => `fragt wegen ${speaker}`,
    capped: 'an der Obergrenze angehalten',
    allOff: 'angehalten, keine Stimme ist übrig',
    left: 'verlassen, kann fortgesetzt werden',
    finished: 'fertig',
    stopped: 'beendet',
    fetching: 'wird vorbereitet',
    notBegun: 'nie begonnen',
  },
  spent: (spent, cap) => `${spent}${cap && ` von ${cap}`}`,
  line: (name, what) => `${name}: ${what}.`,
  asks: {
    title: (name) => `${name} fragt nach einer Zweitbesetzung`,
    noAnswer: (model) => `${model} antwortet nicht`,
    detail: (why, fallback, speaker) => `${why}. Darf ${fallback} für ${speaker} sprechen?`,
    until: (speaker, at) => `Ohne Antwort geht es etwa um ${at} ohne ${speaker} weiter.`,
  },
  capped: {
    title: (name) => `${name} ist an der Obergrenze angehalten`,
    detail: (spent) => `${spent} verbraucht. Auf Wunsch geht es weiter.`,
    question: 'Über die Obergrenze hinaus weitermachen?',
  },
  allOff: {
    title: (name) => `${name} ist angehalten, keine Stimme ist übrig`,
    detail: 'Nichts ist verloren. Es geht weiter, sobald eine Stimme zurückgeholt ist.',
  },
  finished: {
    title: (name) => `${name} ist fertig`,
    body: (what) => `${what}. Der Bericht liegt vor.`,
  },
  acts: { stop: 'Beenden', open: 'Öffnen…' },
};
