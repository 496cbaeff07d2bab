import type { Wanted } from '../../../contract/trust';
import { settingsTexts, trustTexts } from '../../../texts';
import { stepsPhrase } from '../../../wording/rule-words';
import { agentLabel, kindPhrase } from '../../../wording/wording';

const DEFAULTS = 'defaults.';

export function settingName(key: string): string {
  const [texts, fields] = [trustTexts(), settingsTexts().policy.fields];
  const field = key.startsWith(DEFAULTS) ? key.slice(DEFAULTS.length) : '';
  if (Object.hasOwn(fields, field)) return fields[field as keyof typeof fields];
  if (key === 'patterns') return texts.patterns;
  if (key === `${DEFAULTS}policy` || key === 'agents.*.policy') return texts.policy;
  const { plain, quoted, rest } = OF_AGENT.exec(key)?.groups ?? {};
  if (rest === undefined) return key;
  const agent = plain ?? String(JSON.parse(quoted ?? '""'));
  if (rest === 'policy') return texts.policyOf(agentLabel(agent));
  return agent === '*' ? texts.lead : texts.leadOf(agentLabel(agent));
}

const OF_AGENT =
  /^agents(?:\.(?<plain>[\w$*-]+)|\[(?<quoted>".*")\])\.(?<rest>policy|fallbackModels|tiers|currentModel)$/;

export function WantedValue({ name, wanted }: Readonly<{ name: string; wanted: Wanted }>) {
  const texts = trustTexts();
  switch (wanted.type) {
    case 'plain': {
      const rest = OF_AGENT.exec(name)?.groups?.rest ?? 'policy';
      return wanted.value === null && rest !== 'policy' ? texts.hostLead : plainText(wanted.value);
    }
    case 'models':
      return (
        <>
          <ol>
            {wanted.models.map((model, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the same model may stand there twice
              <li key={at}>
                <code>{model}</code>
              </li>
            ))}
          </ol>
          {wanted.count > wanted.models.length && texts.otherPhrases(wanted.count - wanted.models.length)}
        </>
      );
    case 'phrases':
      return (
        <>
          {texts.phrases(wanted.count)}
          <ul>
            {wanted.phrases.map((entry) => (
              <li key={JSON.stringify(entry)}>
                <code>{entry.phrase}</code> <Means said={entry} />
              </li>
            ))}
          </ul>
          {wanted.count > wanted.phrases.length && texts.otherPhrases(wanted.count - wanted.phrases.length)}
        </>
      );
    case 'rows':
      return (
        <ul aria-label={settingName(name)}>
          {wanted.rows.map(({ kind, steps }) => (
            <li key={kind}>
              {kindPhrase(kind, null)}: {stepsPhrase(steps)}
            </li>
          ))}
        </ul>
      );
  }
}

type Phrase = Extract<Wanted, { type: 'phrases' }>['phrases'][number];

function Means({ said: { kind, provider, agent } }: Readonly<{ said: Phrase }>) {
  const text = trustTexts().means(kind && kindPhrase(kind, null), provider, agent && agentLabel(agent));
  return text === '' ? null : <span className="cap">{text}</span>;
}

function plainText(value: string | number | boolean | null): string {
  const texts = settingsTexts().policy;
  if (typeof value === 'boolean') return value ? texts.yes : texts.no;
  return value === null ? texts.none : String(value);
}
