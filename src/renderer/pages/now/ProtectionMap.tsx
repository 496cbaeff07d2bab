import type { AgentRow } from '../../../contract/snapshot';
import { moreTexts, nowTexts } from '../../../texts';
import { nextIn } from '../../../wording/agent-record';
import { statePhrase, stateText } from '../../../wording/agent-record-words';
import { ATTENTION, type Attention, type AttentionKind, worstOf } from '../../../wording/attention';
import { chainKey } from '../../../wording/chain-words';
import type { ProtectedAgent, Protection } from '../../../wording/protection';
import { capitalized, folderName, shortName, stateWithin } from '../../../wording/wording';
import { hrefOf } from '../../app/routes';
import { Glyph, type GlyphName } from '../../components/Glyph';
import { More } from '../../components/More';
import { SectionTitle } from '../../components/SectionTitle';

const ROWS_SHOWN = 12;
const SEATS_SHOWN = 4;

type Standing = Readonly<{ name: string; tone: string; glyph: GlyphName }>;
/** Agents with the same models and state. */
type Group = Readonly<{ agents: readonly ProtectedAgent[]; worst: AttentionKind | null }>;

type Props = Readonly<{
  protection: Protection;
  items: readonly Attention[];
  /** During a pause, no fallback applies. */
  isPaused: boolean;
}>;

/** Worst first. */
export function ProtectionMap({ protection, items, isPaused }: Props) {
  const texts = nowTexts().map;
  const groups = groupsOf(protection.agents, items);
  const hasManyProjects = new Set(protection.agents.map(({ directory }) => directory)).size > 1;
  return (
    <section className="map-part" aria-labelledby="map">
      <SectionTitle id="map" title={texts.title} caption={texts.caption}>
        <a className="link small push" href={hrefOf('chains')}>
          {texts.all}
        </a>
      </SectionTitle>
      <ul className="card map">
        <li className="map-row map-head cap" aria-hidden="true">
          <span>{texts.columns.agent}</span>
          <span>{texts.columns.primary}</span>
          <span>{texts.columns.fallback}</span>
          <span>{texts.columns.protection}</span>
        </li>
        {groups.slice(0, ROWS_SHOWN).map((group) => (
          <MapRow
            key={group.agents.map(chainKey).join(' ')}
            group={group}
            isProjectNamed={hasManyProjects}
            isPaused={isPaused}
          />
        ))}
        <More count={groups.length - ROWS_SHOWN} say={moreTexts().chains} href={hrefOf('chains')} />
      </ul>
    </section>
  );
}

function groupsOf(agents: readonly ProtectedAgent[], items: readonly Attention[]): readonly Group[] {
  const groups = new Map<string, { agents: ProtectedAgent[]; worst: AttentionKind | null }>();
  for (const protectedAgent of agents.toSorted((a, b) => (a.agent < b.agent ? -1 : 1))) {
    const found = worstOf(items, protectedAgent);
    // With several conversations, the row shows the worst.
    const agent = found?.of
      ? { ...protectedAgent, record: found.of.record, chain: found.of.row.chain }
      : protectedAgent;
    const own = found?.kind ?? null;
    const worst = agent.isHalted && rank(own) > rank('exhausted') ? 'exhausted' : own;
    const key = JSON.stringify([worst, agent.cover, activeOf(agent), agent.record?.state, agent.isHalted, agent.chain]);
    const group = groups.get(key);
    if (group) group.agents.push(agent);
    else groups.set(key, { agents: [agent], worst });
  }
  return [...groups.values()].toSorted((a, b) => rank(a.worst) - rank(b.worst));
}

const rank = (kind: AttentionKind | null): number => (kind === null ? ATTENTION.length : ATTENTION.indexOf(kind));

type RowProps = Readonly<{ group: Group; isProjectNamed: boolean; isPaused: boolean }>;

function MapRow({ group, isProjectNamed, isPaused }: RowProps) {
  const texts = nowTexts().map;
  const [first] = group.agents;
  if (!first) return null;
  const [primary, ...fallbacks] = first.chain;
  const standing = standingOf(group.worst, first, isPaused);
  return (
    <li className="map-row">
      <span className="map-agents">
        {group.agents.map((agent, index) => (
          <span key={chainKey(agent)}>
            {index > 0 && ', '}
            <a className="map-agent" href={hrefOf('chains', chainKey(agent))}>
              {agent.agent}
            </a>
            {isProjectNamed && <span className="cap"> {folderName(agent.directory)}</span>}
          </span>
        ))}
      </span>
      <span className="map-chain">
        <span className="seats map-lead">
          <span className="sr">{texts.columns.primary}: </span>
          {primary ? (
            <Seat link={primary} agent={first} isPrimary />
          ) : (
            <span className="seat seat-none">{texts.unknown}</span>
          )}
        </span>
        <span className="seats">
          <span className="sr">{texts.columns.fallback}: </span>
          {fallbacks.slice(0, SEATS_SHOWN).map((link) => (
            <Seat key={link.model} link={link} agent={first} />
          ))}
          {fallbacks.length > SEATS_SHOWN && (
            <span className="cap seat-more">{texts.more(fallbacks.length - SEATS_SHOWN)}</span>
          )}
          {fallbacks.length === 0 && <span className="seat seat-none">{texts.none}</span>}
        </span>
      </span>
      <span className={`verd verd-${standing.tone}`}>
        <Glyph name={standing.glyph} isPlain />
        {standing.name}
      </span>
    </li>
  );
}

/** The current model, or the first message's. */
const activeOf = ({ record, chain }: ProtectedAgent): string | undefined =>
  record?.model ?? nextIn(chain) ?? chain[0]?.model;

type SeatProps = Readonly<{ link: AgentRow['chain'][number]; agent: ProtectedAgent; isPrimary?: boolean }>;

function Seat({ link, agent, isPrimary = false }: SeatProps) {
  const isActive = activeOf(agent) === link.model;
  return (
    <span
      className={isPrimary ? 'seat seat-primary' : 'seat'}
      title={link.model}
      aria-current={isActive ? 'true' : undefined}
    >
      <Glyph name={link.state} />
      <span className="seat-name">
        {shortName(link.model)}
        <span className="sr">{nowTexts().map.state(stateWithin(link.state), isActive)}</span>
      </span>
    </span>
  );
}

function standingOf(
  worst: AttentionKind | null,
  { cover, record, isHalted }: ProtectedAgent,
  isPaused: boolean,
): Standing {
  const t = nowTexts().map.standing;
  const state = record ? capitalized(record.state === 'running' ? stateText(record) : statePhrase(record)) : '';
  switch (worst) {
    case 'question':
    case 'waiting':
      return { name: t.question, tone: 'ask', glyph: 'info' };
    case 'stuck':
    case 'silent':
      return { name: state, tone: worst === 'stuck' ? 'down' : 'away', glyph: 'stuck' };
    case 'exhausted':
    case 'leftOut':
      return {
        name: isHalted ? t.spent : record?.reason?.code === 'stopped' ? t.stopped : state,
        tone: 'down',
        glyph: 'down',
      };
    case 'unprotected':
      return { name: cover === 'off' ? t.off : t.unprotected, tone: 'bare', glyph: 'bare' };
    case 'pinned':
      return { name: t.pinned, tone: 'bare', glyph: 'bare' };
    case 'away':
      return { name: t.away(record?.position ?? 1, record?.of ?? 1), tone: 'away', glyph: 'away' };
    case 'unable':
      return { name: t.unable, tone: 'down', glyph: 'down' };
    case 'lastLeft':
      return { name: t.lastLeft, tone: 'bare', glyph: 'warn' };
    default:
      if (isPaused) return { name: t.paused, tone: 'bare', glyph: 'paused' };
      if (record?.state === 'running') return { name: state, tone: 'shield', glyph: 'shield' };
      return { name: t.protected, tone: 'shield', glyph: 'shield' };
  }
}
