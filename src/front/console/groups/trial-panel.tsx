/** Tries an item against the product groups as they are typed: which group it falls into, and by what. */
import { Button } from '@mantine/core';
import { useMemo, useState } from 'react';
import { GROUP_MATCHER_FIELDS, type GroupMatcherField } from '../../../engine/domain/product-group.ts';
import type { Schemas } from '../../client/call-table.ts';
import { useApp, useSignedIn } from '../app-state.ts';
import { TextField } from '../parts/field.tsx';
import { Notice } from '../parts/notice.tsx';
import { capitalized, listed } from '../words.ts';
import { groupTrial, lostEntries } from './group-trial.ts';

type Group = Schemas['ProductGroup'];

/** What people call one entry of each list. */
const ONE: Readonly<Record<GroupMatcherField, string>> = {
  variantIds: 'variant id',
  productIds: 'product id',
  skus: 'SKU',
  tags: 'tag',
  vendors: 'vendor',
};

const LABELS: Readonly<Record<GroupMatcherField, string>> = {
  variantIds: 'Variant id',
  productIds: 'Product id',
  skus: 'SKU',
  tags: 'Tagged with',
  vendors: 'Vendor',
};
/** Most items are known by these. */
const ORDER = ['skus', 'tags', 'vendors', 'productIds', 'variantIds'] as const;

const textsOf = (field: GroupMatcherField, typed: string): string[] =>
  (field === 'tags' ? typed.split(/[,;]/) : [typed]).map((text) => text.trim()).filter((text) => text !== '');

interface TrialPanelProps {
  /** All groups, the open one as it is typed. */
  readonly groups: readonly Group[];
  /** Place of the open one. */
  readonly at: number;
  readonly onAdd: (field: GroupMatcherField, texts: readonly string[]) => void;
}

export function TrialPanel({ groups, at, onAdd }: TrialPanelProps) {
  const app = useApp();
  const { mayWrite } = useSignedIn();
  const [typed, setTyped] = useState<Readonly<Partial<Record<GroupMatcherField, string>>>>({});
  const find = useMemo(() => groupTrial(groups), [groups]);
  const lost = useMemo(() => lostEntries(groups, at), [groups, at]);
  const item = Object.fromEntries(
    GROUP_MATCHER_FIELDS.map((field) => [field, textsOf(field, typed[field] ?? '')]),
  );
  const strongest = GROUP_MATCHER_FIELDS.find((field) => (item[field] ?? []).length > 0);
  const found = find(item);
  const group = groups[found.at];
  const isHere = found.at === at;
  return (
    <section className="stack" aria-label="Try an item">
      {lost.length === 0 ? null : <LostNotice groups={groups} lost={lost} />}
      <h3 className="section-title">Try an item</h3>
      <div className="columns">
        {ORDER.map((field) => (
          <TextField
            key={field}
            label={LABELS[field]}
            value={typed[field] ?? ''}
            onValue={(text) => setTyped({ ...typed, [field]: text })}
          />
        ))}
      </div>
      <div className="row wrap">
        <p role="status">
          {strongest === undefined ? (
            <span className="quiet">What is typed above decides, before it is saved.</span>
          ) : group === undefined ? (
            'No group lists it, and there is no default group.'
          ) : (
            <>
              It falls into <strong>{group.name || 'the new group'}</strong>
              {found.by === null ? ', the default group: no group lists it.' : ` by its ${ONE[found.by]}.`}
            </>
          )}
        </p>
        {strongest === undefined || group === undefined || isHere ? null : (
          <>
            <Button size="compact-sm" onClick={() => app.set({ open: group.id }, false)}>
              Open {group.name}
            </Button>
            {mayWrite ? (
              <Button size="compact-sm" onClick={() => onAdd(strongest, item[strongest] ?? [])}>
                List its {ONE[strongest]} here
              </Button>
            ) : null}
          </>
        )}
      </div>
      <p className="hint">
        A variant id wins over a product id, this over a SKU, then tags, then the vendor; of two groups with
        the same entry the first in the list has the item.
      </p>
    </section>
  );
}

interface LostNoticeProps extends Pick<TrialPanelProps, 'groups'> {
  readonly lost: ReturnType<typeof lostEntries>;
}

/** Entries that an earlier group has. */
function LostNotice({ groups, lost }: LostNoticeProps) {
  const app = useApp();
  const byGroup = [...new Set(lost.map(({ to }) => to))].map((to) => ({
    to,
    entries: lost.filter((entry) => entry.to === to),
  }));
  return (
    <Notice kind="warning">
      <div className="stack" role="status">
        {byGroup.map(({ to, entries }) => (
          <div key={to} className="row wrap">
            <p>
              {capitalized(listed(entries.map(({ field, text }) => `the ${ONE[field]} “${text}”`)))}{' '}
              {entries.length === 1 ? 'belongs' : 'belong'} to {groups[to]?.name}, which stands earlier in the
              list.
            </p>
            <Button size="compact-sm" onClick={() => app.set({ open: groups[to]?.id ?? '' }, false)}>
              Open {groups[to]?.name}
            </Button>
          </div>
        ))}
      </div>
    </Notice>
  );
}
