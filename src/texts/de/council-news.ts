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
    casting: 'wählt die Gruppe',
    presenting: 'schreibt den Bericht',
    stage: (at, of) => `Abschnitt ${at} von ${of}`,
    asks: (speaker) => `fragt wegen ${speaker}`,
    capped: 'an der Obergrenze angehalten',
    allOff: 'angehalten, alle Stimmen offline',
    left: 'unterbrochen, kann fortgesetzt werden',
    finished: 'fertig',
    stopped: 'beendet',
    fetching: 'wird vorbereitet',
    notBegun: 'nie gestartet',
  },
  spent: (spent, cap) => `${spent}${cap && ` von ${cap}`}`,
  line: (name, what) => `${name}: ${what}.`,
  asks: {
    title: (name) => `${name} fragt nach einem Fallback-Modell`,
    noAnswer: (model) => `${model} antwortet nicht`,
    detail: (why, fallback, speaker) => `${why}. ${fallback} für ${speaker} verwenden?`,
    until: (speaker, at) => `Ohne Antwort geht es etwa um ${at} ohne ${speaker} weiter.`,
  },
  capped: {
    title: (name) => `${name} ist an der Obergrenze angehalten`,
    detail: (spent) => `${spent} verbraucht. Nach Freigabe geht es weiter.`,
    question: 'Über die Obergrenze hinaus fortsetzen?',
  },
  allOff: {
    title: (name) => `${name} ist angehalten, alle Stimmen offline`,
    detail: 'Nichts ist verloren. Es geht weiter, sobald eine Stimme zurückgeholt ist.',
  },
  finished: {
    title: (name) => `${name} ist fertig`,
    body: (what) => `${what}. Der Bericht liegt vor.`,
  },
  acts: { stop: 'Beenden', open: 'Öffnen…' },
};
