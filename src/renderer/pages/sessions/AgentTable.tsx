import type { AgentFigures } from '../../../contract/scorecard';
import { agentTexts } from '../../../texts';
import { agentCells } from '../../../wording/agent-words';
import { ScrollTable } from '../../components/ScrollTable';
import { Block } from './Block';

export function AgentTable({ agents }: Readonly<{ agents: readonly AgentFigures[] }>) {
  const { title, table, columns } = agentTexts();
  const names = Object.values(columns);
  return (
    <Block title={title}>
      <ScrollTable name={{ label: table }} columns={names} className="tbl score-models score-agents">
        <tbody>
          {agents.map((row) => {
            const [agent, ...figures] = agentCells(row);
            return (
              <tr key={row.agent}>
                <th scope="row">{agent}</th>
                {figures.map((figure, at) => (
                  <td key={names[at + 1]}>{figure}</td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </ScrollTable>
    </Block>
  );
}
