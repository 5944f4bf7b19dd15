/** The shop at a glance: carts, those without a rate, what the cheapest rate costs, each over 30 days, and the draft. */
import { Anchor, Paper, SimpleGrid, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { formatMoney } from '../amounts.ts';
import { useApp, useSignedIn } from '../app-state.ts';
import { calendarDayText, numberText } from '../english.ts';
import { linkTo } from '../place.ts';
import { basePath } from '../service.ts';
import { stepPath } from '../tester/steps.ts';
import { changeCounts, isolated } from '../words.ts';
import { type Day, figuresOf, percentText } from './coverage-figures.ts';
import { daysAgo } from './lately.ts';

/** null while it is read. */
export function FiguresPanel({ days }: { days: readonly Day[] | null }) {
  const { carts } = figuresOf(days ?? []);
  return days !== null && carts === 0 ? <NoCart /> : <Figures days={days} />;
}

/** In place of empty figures, so that checks and findings are near. */
function NoCart() {
  const { name, note, link } = useDraftWords();
  return (
    <section className="panel stack" aria-label="Figures">
      <p>
        <strong>No cart yet:</strong> <a href={`${basePath()}/docs`}>connect a checkout</a>. What you try in
        this console is not counted.
      </p>
      <p>
        <strong>
          Draft: <bdi>{name}</bdi>.
        </strong>{' '}
        {note} <a href={linkTo('changeset')}>{link}</a>
      </p>
    </section>
  );
}

function Figures({ days }: { days: readonly Day[] | null }) {
  const { currency } = useSignedIn().shop;
  const { today, yesterday, carts, withoutRate, withoutRateToday, cheapest } = figuresOf(days ?? []);
  const shown = (text: string): string => (days === null ? '…' : text);
  const money = (amount: number): string => formatMoney(amount, currency);
  return (
    <SimpleGrid
      cols={{ base: 1, xs: 2, lg: 4 }}
      spacing="md"
      component="section"
      aria-label="Figures"
      aria-busy={days === null}
    >
      <Figure
        title="Carts today"
        value={shown(numberText(today))}
        note={shown(`${numberText(yesterday)} yesterday, ${numberText(carts)} in 30 days`)}
      >
        <DayChart
          days={days ?? []}
          kind="bars"
          label={`Carts by day: ${numberText(carts)} in 30 days`}
          amountOf={({ simulations }) => simulations}
          textOf={({ simulations }) => `${numberText(simulations)} carts`}
        />
      </Figure>
      <Figure
        title="Without a rate"
        value={shown(percentText(withoutRate, carts))}
        isBad={withoutRate > 0}
        note={shown(
          carts === 0
            ? 'No carts yet'
            : `${numberText(withoutRate)} of ${numberText(carts)} carts, ${numberText(withoutRateToday)} today`,
        )}
      >
        <DayChart
          days={days ?? []}
          kind="bars"
          isBad
          label={`Share without a rate by day: ${percentText(withoutRate, carts)} in 30 days`}
          amountOf={({ simulations, withoutRate: none }) => (simulations === 0 ? null : none / simulations)}
          textOf={({ simulations, withoutRate: none }) =>
            `${numberText(none)} of ${numberText(simulations)} carts, ${percentText(none, simulations)}`
          }
        />
      </Figure>
      <Figure
        title="Cheapest rate, median"
        value={shown(cheapest === null ? '–' : money(cheapest.amount))}
        note={shown(
          cheapest === null
            ? 'No cart had a rate yet'
            : `on ${calendarDayText(cheapest.date)}; ${
                cheapest.low === cheapest.high
                  ? 'the same on all days'
                  : `${money(cheapest.low)} to ${money(cheapest.high)}`
              }`,
        )}
      >
        <DayChart
          days={days ?? []}
          kind="line"
          label={`Median of the cheapest rate by day${
            cheapest === null ? '' : `: ${money(cheapest.low)} to ${money(cheapest.high)}`
          }`}
          amountOf={({ cheapestMedian }) => cheapestMedian}
          textOf={({ cheapestMedian }) => (cheapestMedian === null ? 'no rate' : money(cheapestMedian))}
        />
      </Figure>
      <DraftFigure />
    </SimpleGrid>
  );
}

/** The open draft: its name, who opened it, and the way to it. */
function useDraftWords(): { readonly name: string; readonly note: string; readonly link: string } {
  const draft = useApp().changeset.value;
  const { directWrites } = useSignedIn().shop;
  if (draft === null) {
    const note = directWrites
      ? 'What is saved goes live at once.'
      : 'The shop takes changes in a draft only.';
    return { name: 'None open', note, link: 'Open a draft' };
  }
  const { name, enteredAt, enteredBy, changes } = draft;
  const by = enteredBy.keyLabel === null ? '' : ` by ${isolated(enteredBy.keyLabel)}`;
  return {
    name: name || 'Without a name',
    note: `Opened ${daysAgo(enteredAt)}${by}: ${changeCounts(changes)}. This page is of what is live.`,
    link: 'Review and publish',
  };
}

function DraftFigure() {
  const { name, note, link } = useDraftWords();
  return (
    <Figure title="Draft" value={name} note={note}>
      <Anchor href={linkTo('changeset')}>{link}</Anchor>
    </Figure>
  );
}

interface FigureProps {
  readonly title: string;
  readonly value: string;
  readonly note: string;
  readonly isBad?: boolean;
  readonly children: ReactNode;
}

const Figure = ({ title, value, note, isBad = false, children }: FigureProps) => (
  <Paper withBorder p="sm" className="figure">
    <Text size="sm" c="dimmed">
      {title}
    </Text>
    <Text fz={22} fw={600} lh={1.3} truncate title={value} c={isBad ? 'var(--warning)' : 'var(--ink)'}>
      {value}
    </Text>
    <Text size="sm" c="dimmed" mih="2.5rem" mb="auto">
      {note}
    </Text>
    {children}
  </Paper>
);

const DAYS = 30;
const SLOT = 4;
const GAP = 1;
const HEIGHT = 32;
/** What is little is still seen. */
const LEAST = 1.5;

interface DayChartProps {
  readonly days: readonly Day[];
  readonly kind: 'bars' | 'line';
  readonly label: string;
  readonly isBad?: boolean;
  readonly amountOf: (day: Day) => number | null;
  readonly textOf: (day: Day) => string;
}

/** A value for each of the last days, today at the right end: as bars, or as a line of steps that ends where there is none. */
function DayChart({ days, kind, label, isBad = false, amountOf, textOf }: DayChartProps) {
  const values = days.map(amountOf);
  const slots = days.map((_, at) => ({ from: at, to: at }));
  const most = Math.max(...values.map((value) => value ?? 0)) || 1;
  const left = (at: number): number => SLOT * (at + DAYS - days.length);
  const heightOf = (value: number): number =>
    value === 0 ? 0 : LEAST + ((HEIGHT - 2 * LEAST) * value) / most;
  return (
    <div className="day-chart">
      <svg
        className="plot"
        height={40}
        style={{ color: isBad ? 'var(--warning)' : 'var(--accent)' }}
        viewBox={`0 0 ${SLOT * DAYS} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={label}
      >
        {kind === 'line' ? (
          <path d={stepPath(slots, values, left, (value) => HEIGHT - heightOf(value))} />
        ) : null}
        {days.map((day, at) => {
          const height = heightOf(values[at] ?? 0);
          return (
            <g key={day.date}>
              {kind === 'bars' ? (
                <rect x={left(at)} y={HEIGHT - height} width={SLOT - GAP} height={height} />
              ) : null}
              <rect className="hit" x={left(at)} y="0" width={SLOT} height={HEIGHT}>
                <title>{`${calendarDayText(day.date)}: ${textOf(day)}`}</title>
              </rect>
            </g>
          );
        })}
      </svg>
      <div className="row between" aria-hidden="true">
        <span>{DAYS} days ago</span>
        <span>today</span>
      </div>
    </div>
  );
}
