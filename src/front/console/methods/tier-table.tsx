/** Tiers as a table of fields. Cells of a spreadsheet are pasted into any field, or into the text of a dialog. */
import { Button, CloseButton } from '@mantine/core';
import IconClipboard from '@tabler/icons-react/icons/IconClipboard';
import IconPlus from '@tabler/icons-react/icons/IconPlus';
import { useState } from 'react';
import { WEIGHT_UNITS } from '../amounts.ts';
import { useApp, useSignedIn } from '../app-state.ts';
import { fieldText } from '../labels.ts';
import { Dialog } from '../parts/dialog.tsx';
import { ChoiceField, TextField } from '../parts/field.tsx';
import { Notice } from '../parts/notice.tsx';
import { kindOfNumber } from '../words.ts';
import type { Tier } from './method-kind.ts';
import { NumberField, tableUnit } from './number-field.tsx';
import { type ConfigSchema, isRequiredIn } from './rate-words.ts';
import { parseTiers } from './tier-paste.ts';
import { TierSteps } from './tier-steps.tsx';

interface TierTableProps {
  /** Of one tier. */
  readonly schema: ConfigSchema;
  readonly tiers: readonly Tier[];
  readonly onTiers: (tiers: readonly Tier[]) => void;
}

export function TierTable({ schema, tiers, onTiers }: TierTableProps) {
  const app = useApp();
  const { currency } = useSignedIn().shop;
  const [isPasting, setPasting] = useState(false);
  const [refusal, setRefusal] = useState('');
  const [begin = '', end = '', price = ''] = Object.keys(schema.properties ?? {});
  const columns = [begin, end, price] as const;
  const kind = kindOfNumber(begin);
  // One unit for the whole table, in which no bound is a long fraction.
  const unit =
    kind === 'weight'
      ? tableUnit(
          tiers.flatMap((tier) => [tier[begin], tier[end]]),
          currency,
        )
      : undefined;
  const take = (text: string, weightUnit = unit ?? 'kg'): boolean => {
    const pasted = parseTiers(text, columns, currency, weightUnit);
    setRefusal(typeof pasted === 'string' ? pasted : '');
    if (typeof pasted === 'string') return false;
    onTiers(pasted);
    const weights = kind === 'weight' ? `, weights without a unit as ${weightUnit}` : '';
    app.say(`Pasted ${pasted.length} tiers in place of ${tiers.length}${weights}`);
    return true;
  };
  /** A bound that two tiers share stays shared. */
  const set = (index: number, name: string, value: number | null): void =>
    onTiers(
      tiers.map((tier, at) => {
        if (at === index) return { ...tier, [name]: value };
        const old = tiers[index]?.[name];
        if (old == null || value === null) return tier;
        if (name === end && at === index + 1 && tier[begin] === old) return { ...tier, [begin]: value };
        if (name === begin && at === index - 1 && tier[end] === old) return { ...tier, [end]: value };
        return tier;
      }),
    );
  const add = (): void => {
    const last = tiers.at(-1);
    onTiers([...tiers, { [begin]: last?.[end] ?? null, [end]: null, [price]: last?.[price] ?? null }]);
  };
  return (
    <div className="stack">
      <table
        className="tiers"
        onPaste={(event) => {
          const text = event.clipboardData?.getData('text') ?? '';
          if (!/[\t\n]/.test(text.trim())) return;
          event.preventDefault();
          take(text);
        }}
      >
        <caption>
          <span className="only-read">Tiers</span>
        </caption>
        <thead>
          <tr>
            <th scope="col">From</th>
            <th scope="col">To below</th>
            <th scope="col">Price ({currency})</th>
            <th scope="col">
              <span className="only-read">Remove</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {tiers.map((tier, index) => (
            // Tiers have no identity but their place.
            <tr key={index}>
              {columns.map((name) => (
                <td key={name}>
                  <NumberField
                    className="cell"
                    kind={kindOfNumber(name)}
                    label={fieldText(['tiers', String(index), name])}
                    path={`/config/tiers/${index}/${name}`}
                    {...(unit === undefined || name === price ? {} : { unit })}
                    isRequired={isRequiredIn(schema, name)}
                    value={tier[name] ?? null}
                    onValue={(value) => set(index, name, value)}
                  />
                </td>
              ))}
              <td>
                <CloseButton
                  aria-label={`Remove tier ${index + 1}`}
                  onClick={() => onTiers(tiers.filter((_, at) => at !== index))}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <TierSteps
        kind={kind}
        unit={unit}
        tiers={tiers.map((tier) => [tier[begin] ?? null, tier[end] ?? null, tier[price] ?? null])}
      />
      {refusal === '' || isPasting ? null : <Notice kind="bad">Nothing was pasted. {refusal}</Notice>}
      <div className="row wrap">
        <Button leftSection={<IconPlus size={16} />} onClick={add}>
          Add a tier
        </Button>
        <Button leftSection={<IconClipboard size={16} />} onClick={() => setPasting(true)}>
          Paste from a spreadsheet…
        </Button>
      </div>
      {isPasting ? (
        <PasteDialog
          refusal={refusal}
          unit={unit}
          onTake={(text, weightUnit) => take(text, weightUnit) && setPasting(false)}
          onClose={() => {
            setPasting(false);
            setRefusal('');
          }}
        />
      ) : null}
    </div>
  );
}

interface PasteDialogProps {
  readonly refusal: string;
  /** Of weights; undefined where the bounds are none. */
  readonly unit: string | undefined;
  readonly onTake: (text: string, unit: string | undefined) => void;
  readonly onClose: () => void;
}

/** Not a form, because it is inside the form of the method. */
function PasteDialog({ refusal, unit, onTake, onClose }: PasteDialogProps) {
  const [text, setText] = useState('');
  const [weightUnit, setWeightUnit] = useState(unit);
  return (
    <Dialog title="Paste tiers" onClose={onClose}>
      <TextField
        label="Rows of a spreadsheet"
        value={text}
        onValue={setText}
        lines={10}
        hint="From, to below and price; or from and price, and each tier ends where the next begins. A heading may name the unit."
      />
      {weightUnit === undefined ? null : (
        <ChoiceField
          label="Weights without a unit are in"
          value={weightUnit}
          options={Object.keys(WEIGHT_UNITS).map((name) => [name, name] as const)}
          onValue={setWeightUnit}
        />
      )}
      {refusal === '' ? null : <Notice kind="bad">{refusal}</Notice>}
      <Button variant="filled" className="start" onClick={() => onTake(text, weightUnit)}>
        Replace the tiers
      </Button>
    </Dialog>
  );
}
