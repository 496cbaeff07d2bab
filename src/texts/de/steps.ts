import type { stepTexts } from '../steps';

const times = (count: number): string => (count === 1 ? 'einmal' : `bis zu ${count}-mal`);

export const steps: ReturnType<typeof stepTexts> = {
  plain: {
    switch: 'zum nächsten Modell wechseln',
    switchLarger: 'zu einem Modell mit mehr Kontext wechseln',
    compact: 'das Gespräch kürzen',
    ask: 'nachfragen',
    defer: 'den anderen Agenten den Vortritt lassen',
    hold: 'warten, bis es verfügbar ist',
    return: 'den Fehler OpenCode überlassen',
  },
  waitHint: (most) => `so lange warten, wie der Anbieter vorgibt, höchstens ${most}`,
  retry: (count) => `${times(count)} wiederholen`,
  wait: (time) => `${time} warten und wiederholen`,
  continue: (count) => `${times(count)} fortfahren lassen`,
  when: {
    gateway: ' nach dem Fehler eines Gateways',
    routed: ', außer es findet sich kein Anbieter',
    output: ', wenn ein Teil der Antwort da ist',
    long_output: ', wenn ein langer Teil der Antwort da ist',
    repeated: ', wenn derselbe Fehler des Anbieters zweimal hintereinander auftritt',
  },
  between: ', dann ',
  rule: (kind, list) => `Bei „${kind}“: ${list}.`,
};
