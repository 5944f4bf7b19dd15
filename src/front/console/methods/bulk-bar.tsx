/** What can be done with the selected methods and with new prices, at the bottom of the table. */
import { Button, CloseButton } from '@mantine/core';
import { useRef, useState } from 'react';
import { useApp } from '../app-state.ts';
import { firstUnreadable } from '../parts/number-field.tsx';
import { counted } from '../words.ts';
import { BULK_TITLES, type BulkKind, BulkReview } from './bulk-review.tsx';
import type { Config } from './trial.ts';

interface BulkBarProps {
  readonly config: Config;
  readonly ids: ReadonlySet<string>;
  /** New flat prices that are not saved. */
  readonly prices: ReadonlyMap<string, number>;
  readonly onClear: () => void;
  /** These are saved, or not wanted. */
  readonly onPrices: (prices: ReadonlyMap<string, number>) => void;
}

const ACTIONS: readonly BulkKind[] = ['percent', 'add', 'round', 'enable', 'disable', 'copy', 'delete'];

export function BulkBar({ config, ids, prices, onClear, onPrices }: BulkBarProps) {
  const app = useApp();
  const bar = useRef<HTMLDivElement>(null);
  const [kind, setKind] = useState<BulkKind | null>(null);
  const open = (chosen: BulkKind): void => {
    const unreadable = firstUnreadable(bar.current?.parentElement ?? document.body);
    unreadable?.focus();
    if (unreadable === null) setKind(chosen);
    else app.refuse('This field cannot be read');
  };
  return (
    <section className="bulk-bar" ref={bar} aria-label="Selected methods">
      {prices.size > 0 ? (
        <>
          <strong>{counted(prices.size, 'new price')}</strong>
          <Button variant="filled" onClick={() => open('prices')}>
            Review and save…
          </Button>
          <Button onClick={() => onPrices(prices)}>Discard</Button>
        </>
      ) : (
        <>
          <strong>{ids.size} selected</strong>
          {ACTIONS.map((each) => (
            <Button
              key={each}
              {...(each === 'delete' ? { color: 'red', variant: 'light' } : {})}
              onClick={() => open(each)}
            >
              {BULK_TITLES[each]}
            </Button>
          ))}
          <CloseButton aria-label="Select none" onClick={onClear} />
        </>
      )}
      {kind === null ? null : (
        <BulkReview
          kind={kind}
          {...{ config, ids, prices }}
          onClose={() => setKind(null)}
          onDone={() => {
            setKind(null);
            if (kind === 'prices') onPrices(prices);
            else onClear();
          }}
        />
      )}
    </section>
  );
}
