/** What to know before the draft is published, the worst first, each with its evidence. */
import { Button, Group, Stack, Text } from '@mantine/core';
import IconAlertTriangle from '@tabler/icons-react/icons/IconAlertTriangle';
import IconCircleCheck from '@tabler/icons-react/icons/IconCircleCheck';
import IconCircleX from '@tabler/icons-react/icons/IconCircleX';
import IconInfoCircle from '@tabler/icons-react/icons/IconInfoCircle';
import type { ReactNode } from 'react';
import type { Schemas } from '../../client/call-table.ts';
import { formatDifference } from '../amounts.ts';
import { useApp, useSignedIn } from '../app-state.ts';
import { FindingLine } from '../overview/findings-panel.tsx';
import { FailingChecks } from '../parts/failing-checks.tsx';
import { FailureNotice } from '../parts/notice.tsx';
import { LongList } from '../parts/rows.tsx';
import { useWrite } from '../parts/use-write.ts';
import { linkTo } from '../place.ts';
import { brokenRuleText, type Concern, concernsOf, type Evidence } from './draft-evidence.ts';
import { EffectSamples, ShadowSample } from './samples.tsx';

const SIGNS: Readonly<Record<Concern['kind'], ReactNode>> = {
  bad: <IconCircleX size={20} color="var(--bad)" aria-label="Bad" />,
  warning: <IconAlertTriangle size={20} color="var(--warning)" aria-label="Mind" />,
  good: <IconCircleCheck size={20} color="var(--good)" aria-label="Good" />,
  info: <IconInfoCircle size={20} color="var(--quiet)" aria-label="Know" />,
};

export function Concerns({ evidence }: { evidence: Evidence }) {
  const { currency } = useSignedIn().shop;
  const concerns = concernsOf(evidence, (cents) => formatDifference(cents, currency));
  return (
    <Stack component="ul" className="lines" gap="sm" aria-label="Before you publish">
      {concerns.map(({ about, kind, text }) => (
        <Group component="li" key={about} wrap="nowrap" align="start" gap="xs">
          <span>{SIGNS[kind]}</span>
          <Stack gap={4} flex={1} miw={0}>
            <Text span fw={kind === 'bad' ? 600 : 500}>
              {text}.
            </Text>
            <Detail about={about} evidence={evidence} />
          </Stack>
        </Group>
      ))}
    </Stack>
  );
}

function Detail({ about, evidence }: Pick<Concern, 'about'> & { readonly evidence: Evidence }) {
  const { checks, findings, gate, staging } = evidence;
  switch (about) {
    case 'checks':
      return <FailingChecks results={checks.failing} />;
    case 'findings':
      return (
        <LongList rows={findings} step={5} className="lines">
          {(finding) => <FindingLine finding={finding} columns="live,staged" />}
        </LongList>
      );
    case 'effects':
      return <EffectSamples samples={staging.effects?.samples ?? []} />;
    case 'gate':
      return gate.criteria.length === 0 ? <AskForChecks /> : <BrokenRules criteria={gate.criteria} />;
    default:
      return null;
  }
}

/** One click to the rule that every new shop has. */
function AskForChecks() {
  const app = useApp();
  const { calls, key } = useSignedIn();
  const write = useWrite();
  if (key.permission !== 'admin') return <Text size="sm">A key that may do everything can set them.</Text>;
  const ask = async () => {
    const done = await write.run('checksPass', async (writes) => {
      // Rules that somebody else has set meanwhile stay.
      const read = await calls.getShop();
      if (!read.ok) return read;
      return writes.updateShop({ promotionGate: { ...read.value.shop.promotionGate, checksPass: true } });
    });
    if (done !== null) app.say('From now on a draft with a failing check is not published');
  };
  return (
    <>
      <Group gap="xs">
        <Button size="compact-sm" loading={write.isBusy} onClick={ask}>
          Ask that no check fails
        </Button>
        <a href={linkTo('settings')}>All rules for publishing</a>
      </Group>
      <FailureNotice failure={write.failure} />
    </>
  );
}

type Criterion = Schemas['GateReport']['criteria'][number];

/** Only the rules that do not hold. Their checks and findings are concerns of their own. */
const BrokenRules = ({ criteria }: { criteria: readonly Criterion[] }) => (
  <ul className="lines">
    {criteria
      .filter(({ passed }) => !passed)
      .map((broken) => {
        const evidence = broken.evidence.filter((each) => 'differences' in each || 'zoneName' in each);
        return (
          <li key={broken.criterion} className="entry">
            {brokenRuleText(broken)}
            {evidence.length === 0 ? null : (
              <details>
                <summary>Which</summary>
                <LongList rows={evidence} step={5} className="lines">
                  {(each) =>
                    'differences' in each ? (
                      <ShadowSample sample={each} />
                    ) : (
                      `${each.zoneName}: ${each.productGroupName}, no cart`
                    )
                  }
                </LongList>
              </details>
            )}
          </li>
        );
      })}
  </ul>
);
